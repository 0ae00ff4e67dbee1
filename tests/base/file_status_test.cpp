// SPDX-License-Identifier: Apache-2.0
#include "base/file_system.h"
#include "base/temporary_directory.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

using namespace kiln::base;
namespace fs = std::filesystem;

TEST_CASE("status tells kinds apart, and absence is no error") {
    const TemporaryDirectory directory;
    auto& files = real_file_system();
    std::error_code error;
    std::ofstream(directory.path() / "file") << "12345";
    fs::permissions(directory.path() / "file", fs::perms(0640));
    const FileStatus file = files.status(directory.path() / "file", error);
    CHECK(!error);
    CHECK(file.kind == FileKind::regular);
    CHECK(file.stamp.size == 5);
    CHECK(file.stamp.inode != 0);
    CHECK(file.mode == 0640);
    CHECK(file.owner == ::geteuid());
    CHECK(files.status(directory.path(), error).kind == FileKind::directory);
    CHECK(files.status("/dev/null", error).kind == FileKind::other);
    fs::create_symlink("file", directory.path() / "link");
    CHECK(files.status(directory.path() / "link", error).stamp == file.stamp);
    CHECK(files.status(directory.path() / "none", error).kind == FileKind::absent);
    CHECK(!error);
    CHECK(files.status(directory.path() / "file/below", error).kind == FileKind::absent);
    CHECK(!error);
    files.status(directory.path() / std::string("a\0b", 3), error);
    CHECK(error == std::errc::invalid_argument);
}

TEST_CASE("a rewrite with the old size and times changes the stamp") {
    const TemporaryDirectory directory;
    const auto path = directory.path() / "file";
    std::ofstream(path) << "aaaa";
    std::error_code error;
    const FileStamp before = real_file_system().status(path, error).stamp;
    // Beyond the grain of the file system's clock.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::ofstream(path) << "bbbb";
    const auto to_time = [](std::int64_t ns) {
        return timespec{ns / 1'000'000'000, ns % 1'000'000'000};
    };
    const timespec times[2] = {to_time(before.mtime_ns), to_time(before.mtime_ns)};
    REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
    const FileStamp after = real_file_system().status(path, error).stamp;
    CHECK(after.mtime_ns == before.mtime_ns);
    CHECK(after.size == before.size);
    CHECK_FALSE(after == before);
}

TEST_CASE("only stamps two seconds old are settled, by either time") {
    constexpr std::int64_t second = 1'000'000'000;
    const std::int64_t now = wall_clock_ns();
    FileStamp stamp;
    stamp.mtime_ns = stamp.ctime_ns = now - 2 * second;
    CHECK(settled(stamp, now));
    CHECK_FALSE(settled(stamp, now - 1));
    stamp.ctime_ns = now;
    CHECK_FALSE(settled(stamp, now));
    stamp.ctime_ns = now - 5 * second;
    stamp.mtime_ns = now + second;
    CHECK_FALSE(settled(stamp, now));
}
