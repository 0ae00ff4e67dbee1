// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "base/process.h"
#include "base/temporary_directory.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace kiln::base;

namespace {

/// What a forked child writes to stderr.
std::string stderr_of(const std::function<void()>& body) {
    const TemporaryDirectory directory;
    const auto path = directory.path() / "stderr";
    const pid_t child = ::fork();
    if (child == 0) {
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        ::dup2(file, STDERR_FILENO);
        set_log_level("warn");
        body();
        ::_exit(0);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace

// Run by the next test in a process of its own, whose environment is given.
TEST_CASE("one line of each level" * doctest::skip()) {
    log().trace("t");
    log().debug("d");
    log().info("i");
    log().warn("w");
    log().error("e");
}

TEST_CASE("the environment chooses the level, and warn is the default") {
    const auto said = [](const char* level) {
        ProcessOptions options;
        options.program = std::filesystem::read_symlink("/proc/self/exe");
        options.arguments = {"--no-skip", "--test-case=one line of each level"};
        options.environment = Environment::of_process();
        options.environment.set("KILN_LOG", level);
        return run_process(options, std::chrono::seconds(20)).errors;
    };
    const std::string warn = "kiln: warning: w\nkiln: error: e\n";
    CHECK(said("") == warn);
    CHECK(said("nonsense") == warn);
    CHECK(said("trace") == "kiln: trace: t\nkiln: debug: d\nkiln: info: i\n" + warn);
    CHECK(said("error") == "kiln: error: e\n");
    CHECK(said("off") == "");
}

TEST_CASE("a level can be set by name") {
    CHECK(stderr_of([] {
              log().info("not said");
              log().warn("said {}", 1);
              log().error("and this");
          }) == "kiln: warning: said 1\nkiln: error: and this\n");
    CHECK(stderr_of([] {
              set_log_level("info");
              log().info("now said");
              set_log_level("off");
              log().error("not said");
          }) == "kiln: info: now said\n");
    CHECK_FALSE(set_log_level("loud"));
    CHECK_FALSE(set_log_level(""));
}

TEST_CASE("the logger is Kiln's own") {
    CHECK(spdlog::get("kiln") == nullptr);
    CHECK(&log() != spdlog::default_logger_raw());
}

TEST_CASE("a warning is said once for each key") {
    CHECK(stderr_of([] {
              for (int i = 0; i < 3; ++i) {
                  warn_once("a", "first");
                  warn_once("b", "second {}");
              }
          }) == "kiln: warning: first\nkiln: warning: second {}\n");
}

TEST_CASE("a warning that the level hides is not counted as said") {
    CHECK(stderr_of([] {
              set_log_level("off");
              warn_once("hidden", "text");
              set_log_level("warn");
              warn_once("hidden", "text");
          }) == "kiln: warning: text\n");
}

TEST_CASE("more keys than it can hold make it quiet, not slow or wrong") {
    const auto text = stderr_of([] {
        for (int round = 0; round < 2; ++round)
            for (int i = 0; i < 1500; ++i)
                warn_once("key " + std::to_string(i), "x");
    });
    CHECK(std::count(text.begin(), text.end(), '\n') == 1024);
}

TEST_CASE("a child forked while other threads log can log") {
    const auto text = stderr_of([] {
        std::atomic<bool> stop{false};
        std::vector<std::thread> threads;
        for (int i = 0; i < 2; ++i)
            threads.emplace_back([&] {
                while (!stop)
                    log().warn("noise");
            });
        for (int i = 0; i < 20; ++i) {
            const pid_t child = ::fork();
            if (child == 0) {
                log().warn("from a child");
                ::_exit(0);
            }
            ::waitpid(child, nullptr, 0);
        }
        stop = true;
        for (auto& thread : threads)
            thread.join();
    });
    std::istringstream lines(text);
    std::string line;
    int from_children = 0;
    int torn = 0;
    while (std::getline(lines, line)) {
        from_children += line == "kiln: warning: from a child" ? 1 : 0;
        torn += line == "kiln: warning: from a child" || line == "kiln: warning: noise" ? 0 : 1;
    }
    CHECK(from_children == 20);
    CHECK(torn == 0);
}
