// SPDX-License-Identifier: Apache-2.0
#include "base/file_system.h"
#include "base/temporary_directory.h"

#include <kiln/error.h>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <vector>

using namespace kiln::base;
namespace fs = std::filesystem;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

std::string read(const fs::path& path) {
    return read_text(real_file_system(), path);
}

} // namespace

TEST_CASE("read takes regular files whole, up to the limit, and nothing else") {
    const TemporaryDirectory directory;
    auto& files = real_file_system();
    std::error_code error;
    const auto path = directory.path() / "file";
    const std::string text(100000, 'x');
    std::ofstream(path) << text;
    CHECK(files.read(path, text.size(), error).size() == text.size());
    CHECK(!error);
    CHECK(files.read(path, text.size() - 1, error).empty());
    CHECK(error == std::errc::file_too_large);
    CHECK(files.read(path, ~std::uint64_t{0}, error).size() == text.size());
    CHECK(!error);
    std::ofstream(directory.path() / "empty");
    CHECK(files.read(directory.path() / "empty", 0, error).empty());
    CHECK(!error);

    files.read(directory.path() / "none", 10, error);
    CHECK(error == std::errc::no_such_file_or_directory);
    files.read(directory.path(), 10, error);
    CHECK(error == std::errc::is_a_directory);
    files.read("/dev/zero", 10, error);
    CHECK(error == std::errc::invalid_argument);
    REQUIRE(::mkfifo((directory.path() / "fifo").c_str(), 0600) == 0);
    files.read(directory.path() / "fifo", 10, error);
    CHECK(error == std::errc::invalid_argument);
}

TEST_CASE("a file whose size says nothing is read to its end") {
    std::error_code error;
    CHECK_FALSE(real_file_system().read("/proc/self/maps", 64u << 20, error).empty());
    CHECK(!error);
    real_file_system().read("/proc/self/maps", 16, error);
    CHECK(error == std::errc::file_too_large);
}

TEST_CASE("a file that grows and shrinks while it is read gives a whole read or an error") {
    const TemporaryDirectory directory;
    const auto path = directory.path() / "file";
    std::ofstream(path) << "x";
    std::atomic<bool> stop{false};
    std::thread writer([&] {
        for (int i = 0; !stop; ++i)
            if (::truncate(path.c_str(), i % 2 != 0 ? 1 : 3'000'000) != 0)
                break;
    });
    for (int i = 0; i < 50; ++i) {
        std::error_code error;
        const auto size = real_file_system().read(path, 2'000'000, error).size();
        CHECK((error ? error == std::errc::file_too_large && size == 0 : size <= 2'000'000));
    }
    stop = true;
    writer.join();
}

TEST_CASE("write_new makes a private file and never touches one that is there") {
    const TemporaryDirectory directory;
    auto& files = real_file_system();
    std::error_code error;
    const auto path = directory.path() / "file";
    files.write_new(path, bytes_of("first"), error);
    CHECK(!error);
    CHECK((files.status(path, error).mode & 0177) == 0);
    files.write_new(path, bytes_of("second"), error);
    CHECK(error == std::errc::file_exists);
    CHECK(read(path) == "first");
    fs::create_symlink("nowhere", directory.path() / "link");
    files.write_new(directory.path() / "link", bytes_of("x"), error);
    CHECK(error == std::errc::file_exists);
    CHECK_FALSE(fs::exists(directory.path() / "nowhere"));
}

TEST_CASE("a write that fails half way leaves nothing behind") {
    const TemporaryDirectory directory;
    const auto path = directory.path() / "file";
    const std::string text(1u << 20, 'x');
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1u << 16, 1u << 16};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        std::error_code error;
        real_file_system().write_new(path, bytes_of(text), error);
        ::_exit(error == std::errc::file_too_large ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK_FALSE(fs::exists(path));
}

TEST_CASE("link and rename_new refuse a name that is taken, rename replaces") {
    const TemporaryDirectory directory;
    auto& files = real_file_system();
    std::error_code error;
    const auto a = directory.path() / "a";
    const auto b = directory.path() / "b";
    const auto c = directory.path() / "c";
    files.write_new(a, bytes_of("a"), error);
    files.write_new(b, bytes_of("b"), error);
    REQUIRE(!error);
    files.link(a, b, error);
    CHECK(error == std::errc::file_exists);
    files.link(a, c, error);
    CHECK(!error);
    CHECK(files.status(a, error).stamp.inode == files.status(c, error).stamp.inode);
    files.rename_new(a, b, error);
    CHECK(error == std::errc::file_exists);
    CHECK(read(b) == "b");
    files.rename(a, b, error);
    CHECK(!error);
    CHECK(read(b) == "a");
    files.rename_new(b, a, error);
    CHECK(!error);
    CHECK(read(a) == "a");
    files.remove(a, error);
    CHECK(!error);
    files.remove(a, error);
    CHECK(error == std::errc::no_such_file_or_directory);
}

TEST_CASE("make_directories makes private parents and is content with what is there") {
    const TemporaryDirectory directory;
    auto& files = real_file_system();
    std::error_code error;
    const auto deep = directory.path() / "a/b/c";
    files.make_directories(deep, error);
    CHECK(!error);
    CHECK(files.status(directory.path() / "a", error).mode == 0700);
    files.make_directories(deep, error);
    CHECK(!error);
    files.make_directories(deep / "", error);
    CHECK(!error);
    files.make_directories("/", error);
    CHECK(!error);
    std::ofstream(directory.path() / "file");
    files.make_directories(directory.path() / "file", error);
    CHECK(error == std::errc::not_a_directory);
    files.make_directories(directory.path() / "file/below", error);
    CHECK(error == std::errc::not_a_directory);
    files.make_directories("", error);
    CHECK(error == std::errc::no_such_file_or_directory);
}

TEST_CASE("make_directories by many threads at once succeeds for all") {
    const TemporaryDirectory directory;
    std::atomic<int> failures{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            std::error_code error;
            real_file_system().make_directories(directory.path() / "a/b/c/d/e", error);
            failures += error ? 1 : 0;
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(failures == 0);
}

TEST_CASE("list gives sorted names") {
    const TemporaryDirectory directory;
    std::error_code error;
    CHECK(real_file_system().list(directory.path(), error).empty());
    for (const char* name : {"b", "a", ".hidden"})
        std::ofstream(directory.path() / name);
    CHECK(real_file_system().list(directory.path(), error) ==
          std::vector<std::string>{".hidden", "a", "b"});
    CHECK(!error);
    real_file_system().list(directory.path() / "none", error);
    CHECK(error == std::errc::no_such_file_or_directory);
    real_file_system().list(directory.path() / "a", error);
    CHECK(error == std::errc::not_a_directory);
}

TEST_CASE("no descriptor is left open or inheritable") {
    const TemporaryDirectory directory;
    auto& files = real_file_system();
    std::error_code error;
    const auto count = [&] { return files.list("/proc/self/fd", error).size(); };
    const auto before = count();
    files.write_new(directory.path() / "file", bytes_of("x"), error);
    files.read(directory.path() / "file", 10, error);
    files.read(directory.path(), 10, error);
    files.list(directory.path(), error);
    CHECK(count() == before);
    const auto lock = files.lock(directory.path() / "lock", 0, error);
    REQUIRE(lock != nullptr);
    int found = 0;
    for (const auto& name : files.list("/proc/self/fd", error)) {
        const auto target = fs::read_symlink("/proc/self/fd/" + name, error);
        if (target != directory.path() / "lock")
            continue;
        const int flags = ::fcntl(std::stoi(name), F_GETFD);
        CHECK((flags & FD_CLOEXEC) != 0);
        ++found;
    }
    CHECK(found == 1);
}

TEST_CASE("read_text names path and cause") {
    const TemporaryDirectory directory;
    const auto path = directory.path() / "none";
    try {
        read_text(real_file_system(), path);
        FAIL("read what is not there");
    } catch (const kiln::Error& error) {
        CHECK(error.code() == kiln::ErrorCode::io);
        CHECK(error.message().find(path.string()) != std::string::npos);
        CHECK(error.message().find("No such file") != std::string::npos);
    }
}
