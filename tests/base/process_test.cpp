// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"
#include "base/shell_process.h"
#include "base/temporary_directory.h"

#include <kiln/error.h>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <string>

using namespace kiln::base;
using namespace kiln::test;
using namespace std::chrono_literals;

TEST_CASE("arguments are passed as they are, with no shell between") {
    ProcessOptions options;
    options.program = "/usr/bin/printf";
    options.arguments = {"%s|", "$(touch pwned)", "`x`", "", "a b", "'\"", "*"};
    CHECK(run_process(options, patience).output == "$(touch pwned)|`x`||a b|'\"|*|");
    options.arguments = {std::string("a\0b", 3)};
    CHECK_THROWS_AS(run_process(options, patience), kiln::Error);
}

TEST_CASE("the environment and the directory are those given") {
    const TemporaryDirectory directory;
    ProcessOptions options;
    options.program = "/usr/bin/env";
    options.environment = Environment({{"A", "1"}, {"B", "x=y"}});
    CHECK(run_process(options, patience).output == "A=1\nB=x=y\n");
    options = shell("/bin/pwd -P");
    options.directory = directory.path();
    CHECK(run_process(options, patience).output == directory.path().string() + "\n");
}

TEST_CASE("a program that cannot be started is an error that names it") {
    const TemporaryDirectory directory;
    ProcessOptions options = shell("true");
    const auto message = [&] {
        try {
            run_process(options, patience);
        } catch (const kiln::Error& error) {
            CHECK(error.code() == kiln::ErrorCode::io);
            return error.message();
        }
        return std::string();
    };
    options.directory = directory.path() / "none";
    CHECK(message().find("/bin/sh") != std::string::npos);
    CHECK(message().find(options.directory.string()) != std::string::npos);
    options.directory.clear();
    options.program = directory.path() / "missing-program";
    CHECK(message().find("missing-program: No such file") != std::string::npos);
    options.program = directory.path();
    CHECK(message().find("Permission denied") != std::string::npos);
}

TEST_CASE("the child has the three streams and the channel, and no other descriptor") {
    const TemporaryDirectory directory;
    const int inheritable = ::open("/dev/null", O_RDONLY);
    REQUIRE(inheritable >= 0);
    int sockets[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    auto options =
        shell("n=0; while [ $n -lt 64 ]; do [ -e /proc/$$/fd/$n ] && echo $n; n=$((n + 1)); done; "
              "echo hello >&3");
    CHECK(run_process(options, patience).output == "0\n1\n2\n");
    options.channel = sockets[1];
    CHECK(run_process(options, patience).output == "0\n1\n2\n3\n");
    char text[6] = "";
    CHECK(::recv(sockets[0], text, 6, MSG_WAITALL) == 6);
    CHECK(std::string(text, 6) == "hello\n");
    ::close(sockets[0]);
    ::close(sockets[1]);
    ::close(inheritable);
}

TEST_CASE("a host whose own streams are closed can run programs") {
    const pid_t child = ::fork();
    if (child == 0) {
        for (int i = 0; i < 3; ++i)
            ::close(i);
        const auto result = run_process(shell("echo out; echo err >&2"), patience);
        ::_exit(result.output == "out\n" && result.errors == "err\n" ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

TEST_CASE("signals that the host blocks or ignores are as new for the child") {
    sigset_t blocked;
    sigset_t before;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const auto handler = ::signal(SIGPIPE, SIG_IGN);
    CHECK(run_process(shell("kill -TERM $$; exit 0"), patience).exit.signal == SIGTERM);
    CHECK(run_process(shell("kill -PIPE $$; exit 0"), patience).exit.signal == SIGPIPE);
    ::signal(SIGPIPE, handler);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("wait is bounded, and the exit stays known") {
    Process process = Process::start(shell("sleep 900"), -1, -1);
    CHECK_FALSE(process.wait(0ms));
    CHECK_FALSE(process.wait(30ms));
    process.kill();
    const auto exit = process.wait(patience);
    REQUIRE(exit);
    CHECK(exit->signal == SIGKILL);
    CHECK(process.wait(0ms)->signal == SIGKILL);
    process.kill();
    Process quick = Process::start(shell("exit 5"), -1, -1);
    CHECK(quick.wait(std::chrono::milliseconds::max())->code == 5);
}

TEST_CASE("the destructor and assignment kill what still runs; a move does not") {
    int first = 0;
    int second = 0;
    {
        Process process = Process::start(shell("sleep 900"), -1, -1);
        first = process.pid();
        Process moved = std::move(process);
        CHECK(moved.pid() == first);
        CHECK(alive(first));
        Process other = Process::start(shell("sleep 900"), -1, -1);
        second = other.pid();
        moved = std::move(other);
        CHECK_FALSE(alive(first));
        CHECK(alive(second));
    }
    CHECK_FALSE(alive(second));
}

TEST_CASE("in a forked child a process object is inert") {
    std::optional<Process> process(Process::start(shell("sleep 900"), -1, -1));
    const pid_t child = ::fork();
    if (child == 0) {
        process->kill();
        process.reset();
        ::_exit(0);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(alive(process->pid()));
    CHECK_FALSE(process->wait(10ms));
}

TEST_CASE("a host that reaps every child makes the exit unknown, not an error") {
    const pid_t host = ::fork();
    if (host == 0) {
        ::signal(SIGCHLD, SIG_IGN);
        const auto result = run_process(shell("echo out; exit 3"), patience);
        Process process = Process::start(shell("sleep 900"), -1, -1);
        process.kill();
        const auto exit = process.wait(patience);
        ::_exit(result.output == "out\n" && result.exit.unknown && !result.exit.ok() && exit &&
                        exit->unknown
                    ? 0
                    : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(host, &status, 0) == host);
    CHECK(status == 0);
}

TEST_CASE("a child leads a group of its own unless it is to stay in its parent's") {
    auto options = shell("sleep 900");
    Process own = Process::start(options, -1, -1);
    CHECK(::getpgid(own.pid()) == own.pid());
    options.own_group = false;
    Process shared = Process::start(options, -1, -1);
    CHECK(::getpgid(shared.pid()) == ::getpgrp());
    shared.kill();
    CHECK(shared.wait(patience)->signal == SIGKILL);
}
