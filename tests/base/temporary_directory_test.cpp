// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_directory.h"

#include <kiln/error.h>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

using namespace kiln::base;
namespace fs = std::filesystem;

TEST_CASE("a temporary directory is private and goes with its object") {
    const TemporaryDirectory parent;
    fs::path path;
    {
        const TemporaryDirectory directory("inner-", parent.path());
        path = directory.path();
        CHECK(path.parent_path() == parent.path());
        CHECK(path.filename().string().starts_with("inner-"));
        struct stat status {};
        REQUIRE(::stat(path.c_str(), &status) == 0);
        CHECK((status.st_mode & 07777) == 0700);
        fs::create_directories(path / "a/b");
        std::ofstream(path / "a/b/file") << "text";
    }
    CHECK_FALSE(fs::exists(path));
}

TEST_CASE("moving hands the directory on, and what was held before goes") {
    TemporaryDirectory first;
    TemporaryDirectory second;
    const fs::path kept = first.path();
    const fs::path dropped = second.path();
    second = std::move(first);
    CHECK(second.path() == kept);
    CHECK(fs::exists(kept));
    CHECK_FALSE(fs::exists(dropped));
    const TemporaryDirectory third(std::move(second));
    CHECK(third.path() == kept);
    CHECK(fs::exists(kept));
}

TEST_CASE("removal does not follow a link out of the directory") {
    const TemporaryDirectory outside;
    std::ofstream(outside.path() / "file") << "text";
    {
        const TemporaryDirectory directory;
        fs::create_directory_symlink(outside.path(), directory.path() / "link");
    }
    CHECK(fs::exists(outside.path() / "file"));
}

TEST_CASE("a forked child's copy removes nothing") {
    std::optional<TemporaryDirectory> directory(std::in_place);
    const pid_t child = ::fork();
    if (child == 0) {
        directory.reset();
        ::_exit(0);
    }
    REQUIRE(child > 0);
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(fs::exists(directory->path()));
}

TEST_CASE("a parent that cannot be used is an error that names it") {
    const TemporaryDirectory parent;
    const auto missing = parent.path() / "missing";
    try {
        const TemporaryDirectory directory("kiln-", missing);
        FAIL("made a directory in nothing");
    } catch (const kiln::Error& error) {
        CHECK(error.code() == kiln::ErrorCode::io);
        CHECK(error.message().find(missing.string()) != std::string::npos);
    }
}
