// SPDX-License-Identifier: Apache-2.0
#include "base/file_system.h"
#include "base/process.h"
#include "base/shell_process.h"
#include "base/temporary_directory.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace kiln::base;
using namespace kiln::test;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST_CASE("both streams and the exit status come back") {
    const auto result = run_process(shell("echo out; echo err >&2; exit 3"), patience);
    CHECK(result.output == "out\n");
    CHECK(result.errors == "err\n");
    CHECK(result.exit.code == 3);
    CHECK_FALSE(result.exit.ok());
    CHECK_FALSE(result.timed_out);
    CHECK(run_process(shell("exit 0"), patience).exit.ok());
    const auto killed = run_process(shell("kill -SEGV $$"), patience);
    CHECK(killed.exit.signal == SIGSEGV);
    CHECK_FALSE(killed.exit.ok());
}

TEST_CASE("much output on both streams neither blocks nor is lost") {
    const auto result = run_process(
        shell("head -c 3000000 /dev/zero >&2 & head -c 3000000 /dev/zero; wait"), patience);
    CHECK(result.exit.ok());
    CHECK(result.output.size() == 3000000);
    CHECK(result.errors.size() == 3000000);
}

TEST_CASE("output beyond the bound is dropped and the program is not held up") {
    const auto result = run_process(shell("head -c 70000000 /dev/zero"), patience);
    CHECK(result.exit.ok());
    CHECK(result.output.size() == 64u << 20);
}

TEST_CASE("stdin is empty") {
    CHECK(run_process(shell("cat; echo end"), patience).output == "end\n");
}

TEST_CASE("at the limit the whole group is killed") {
    const auto begin = Clock::now();
    const auto result = run_process(shell("sleep 900 & echo $!; sleep 900"), 500ms);
    CHECK(Clock::now() - begin < patience);
    CHECK(result.timed_out);
    CHECK(result.exit.signal == SIGKILL);
    CHECK(result.seconds >= 0.5);
    REQUIRE_FALSE(result.output.empty());
    CHECK(dies(std::stoi(result.output)));
}

TEST_CASE("a grandchild that keeps the streams open is not waited for, nor left behind") {
    const auto begin = Clock::now();
    const auto result = run_process(shell("sleep 900 & echo $!; exit 0"), patience);
    CHECK(Clock::now() - begin < patience);
    CHECK(result.exit.ok());
    CHECK_FALSE(result.timed_out);
    CHECK(dies(std::stoi(result.output)));
}

TEST_CASE("a grandchild that left the group and floods the streams holds nobody up") {
    const auto begin = Clock::now();
    const auto result = run_process(shell("setsid yes & echo $!; exit 0"), patience);
    CHECK(Clock::now() - begin < patience);
    CHECK(result.exit.ok());
}

TEST_CASE("a request taken back ends the program") {
    std::atomic<int> questions{0};
    const auto begin = Clock::now();
    const auto result = run_process(shell("sleep 900"), patience, [&] { return ++questions > 2; });
    CHECK(result.cancelled);
    CHECK_FALSE(result.timed_out);
    CHECK(result.exit.signal == SIGKILL);
    CHECK(Clock::now() - begin < patience);
}

TEST_CASE("a question that throws leaves no process behind") {
    const TemporaryDirectory directory;
    const auto note = directory.path() / "pid";
    const auto script = "echo $$ > " + note.string() + ".new; mv " + note.string() + ".new " +
                        note.string() + "; sleep 900";
    CHECK_THROWS_AS(run_process(shell(script), patience,
                                [&]() -> bool {
                                    if (std::filesystem::exists(note))
                                        throw std::runtime_error("stop");
                                    return false;
                                }),
                    std::runtime_error);
    CHECK(dies(std::stoi(read_text(real_file_system(), note))));
}

TEST_CASE("no descriptor is left behind, and many threads may run programs") {
    const auto count = [] {
        std::error_code error;
        return real_file_system().list("/proc/self/fd", error).size();
    };
    const auto before = count();
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            for (int turn = 0; turn < 5; ++turn) {
                const auto text = std::to_string(i) + "-" + std::to_string(turn);
                wrong += run_process(shell("echo " + text), patience).output == text + "\n" ? 0 : 1;
            }
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(wrong == 0);
    CHECK(count() == before);
}
