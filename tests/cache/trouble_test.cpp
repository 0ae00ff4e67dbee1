// SPDX-License-Identifier: Apache-2.0
#include "cache/project.h"

#include <kiln/error.h>

#include <sys/stat.h>
#include <unistd.h>

using namespace kiln;
using namespace kiln::cache;

namespace {

/// The work goes on: the cubin is returned, and found again as long as the process lives.
void check_goes_on(test::Store& store, const test::Project& project) {
    CHECK_FALSE(store.open().find(project.request).hit);
    const Cubin cubin = store.compile(project);
    CHECK(test::same_image(cubin));
    CHECK(cubin.entry.empty());
    const auto found = store.find(project);
    REQUIRE(found.hit);
    CHECK(found.hit->tier == Tier::memory);
    store.cache.reset();
}

void check_strict(test::Store& store, const test::Project& project) {
    store.options.strict = true;
    store.open();
    const Error error = error_of([&] {
        store.find(project);
        store.compile(project);
    });
    CHECK(error.code() == ErrorCode::cache_unavailable);
    CHECK_FALSE(error.hint().empty());
    CHECK(error.context("directory") == store.directory.string());
}

} // namespace

TEST_CASE("without a directory the memory tier serves alone") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch);
    store.options.directory.clear();
    store.directory.clear();
    check_goes_on(store, project);
    check_strict(store, project);
}

TEST_CASE("a directory that cannot be used costs no caller anything") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch);
    SUBCASE("it is a file") {
        scratch.write("cache", "a file");
    }
    SUBCASE("it lies behind a file") {
        scratch.write("file", "");
        store.directory = store.options.directory = scratch.path("file/cache");
    }
    SUBCASE("its inside is a file") {
        scratch.write("cache/v1", "a file");
    }
    SUBCASE("others can write it") {
        std::filesystem::create_directories(scratch.path("cache/v1"));
        REQUIRE(::chmod(scratch.path("cache/v1").c_str(), 0777) == 0);
    }
    SUBCASE("the group can write it") {
        std::filesystem::create_directories(scratch.path("cache/v1"));
        REQUIRE(::chmod(scratch.path("cache/v1").c_str(), 0770) == 0);
    }
    SUBCASE("the disk is full") {
        store.files->faults["write_new"] = ENOSPC;
    }
    SUBCASE("it is read-only") {
        store.files->faults["make_directories"] = EROFS;
    }
    SUBCASE("files cannot be opened") {
        store.files->faults["write_new"] = EMFILE;
    }
    check_goes_on(store, project);
    check_strict(store, project);
}

TEST_CASE("entries of another user are not loaded") {
    if (::geteuid() != 0) {
        MESSAGE("skipped: only root can give a directory to another user");
        return;
    }
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch);
    store.compile(project);
    REQUIRE(::chown((store.directory / "v1").c_str(), 12345, 12345) == 0);
    CHECK_FALSE(store.open().find(project.request).hit);
    check_strict(store, project);
    REQUIRE(::chown((store.directory / "v1").c_str(), 0, 0) == 0);
    store.options.strict = false;
    CHECK(store.open().find(project.request).hit);
}

TEST_CASE("a directory that others can write is not read either") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch);
    store.compile(project);
    REQUIRE(::chmod((store.directory / "v1").c_str(), 0777) == 0);
    CHECK_FALSE(store.open().find(project.request).hit);
    CHECK(store.get().list().empty());
    CHECK(store.get().clear() == 0);
    REQUIRE(::chmod((store.directory / "v1").c_str(), 0755) == 0);
    CHECK(store.open().find(project.request).hit);
}

TEST_CASE("a directory made by the cache is this user's alone, with its parents") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch, false, "x/y/z");
    const Cubin cubin = store.compile(project);
    CHECK_FALSE(cubin.entry.empty());
    for (const char* part : {"x", "x/y/z", "x/y/z/v1", "x/y/z/v1/sm_90a"}) {
        struct stat found {};
        REQUIRE(::stat(scratch.path(part).c_str(), &found) == 0);
        CHECK((found.st_mode & 0777) == 0700);
    }
    CHECK(store.open().find(project.request).hit);
}

TEST_CASE("a hit writes nothing and needs no right to write") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch, true); // nothing to refresh
    store.compile(project);
    store.cache.reset();
    store.options.write = false;
    for (const char* operation :
         {"write_new", "link", "rename", "rename_new", "remove", "make_directories", "lock"})
        store.files->faults[operation] = EROFS;
    const int writes = store.files->calls("write_new") + store.files->calls("make_directories") +
                       store.files->calls("lock");
    CHECK(store.open().find(project.request).hit);
    store.cache.reset();
    CHECK(store.files->calls("write_new") + store.files->calls("make_directories") +
              store.files->calls("lock") ==
          writes);
}

TEST_CASE("trouble while reading is a miss, or an error in strict mode") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch, true);
    store.compile(project);
    store.open();
    store.files->faults["read"] = EIO;
    CHECK_FALSE(store.find(project).hit);
    store.options.strict = true;
    store.open();
    CHECK(error_of([&] { store.find(project); }).code() == ErrorCode::cache_unavailable);
    store.files->faults.clear();
    CHECK(store.find(project).hit);
}

TEST_CASE("without links or locks entries are published all the same") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch);
    store.files->faults["link"] = EPERM;
    store.files->faults["lock"] = ENOLCK;
    const auto flight = store.get().single_flight(project.request, 1000);
    CHECK(flight != nullptr);
    CHECK_FALSE(store.compile(project).entry.empty());
    CHECK(store.open().find(project.request).hit);
    for (const auto& file : test::files_below(store.directory))
        CHECK_FALSE(file.filename().string().starts_with(base::staging_prefix));
}
