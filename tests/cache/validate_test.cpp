// SPDX-License-Identifier: Apache-2.0
#include "cache/project.h"

using namespace kiln;
using namespace kiln::cache;

namespace {

struct Seen {
    test::Scratch scratch;
    test::Project project{scratch};
    test::AgedFileSystem files;
    base::DigestCache digests{files, {}};
    InputSet set =
        project.collect(mark_compile_start(project.request, files), files, digests).inputs;

    Validation check() { return validate(set, project.request.roots, files, digests); }
};

} // namespace

TEST_CASE("what has not changed is told from stamps alone") {
    Seen seen;
    const int reads = seen.files.calls("read");
    const Validation validation = seen.check();
    CHECK(validation.same);
    CHECK_FALSE(validation.refreshed);
    CHECK(seen.files.calls("read") == reads);
}

TEST_CASE("a stamp that is not settled is no evidence") {
    Seen seen;
    for (Input& file : seen.set.files)
        file.settled = false;
    // The same stamp, other contents: what a write within one clock tick leaves behind.
    seen.set.files[0].digest = base::sha256("what it was");
    const std::string name = seen.set.files[0].name.str();
    CHECK(seen.check().changed == name + " changed");
}

TEST_CASE("a touched file is the same, and its stamp is brought up to date") {
    Seen seen;
    seen.scratch.touch(seen.project.relative("second/lib/a.h"), -100);
    Validation validation = seen.check();
    CHECK(validation.same);
    CHECK(validation.refreshed);
    const int reads = seen.files.calls("read");
    validation = seen.check();
    CHECK(validation.same);
    CHECK_FALSE(validation.refreshed);
    CHECK(seen.files.calls("read") == reads);
}

TEST_CASE("times are no evidence of sameness: size, mtime and inode kept, contents changed") {
    Seen seen;
    seen.scratch.touch(seen.project.relative("second/lib/a.h"), 1000);
    REQUIRE(seen.check().same);
    seen.project.write("second/lib/a.h", "int z;\n"); // in place: the same inode and size
    seen.scratch.touch(seen.project.relative("second/lib/a.h"), 1000);
    CHECK(seen.check().changed == "I1:lib/a.h changed");
}

TEST_CASE("the first difference is named") {
    Seen seen;
    SUBCASE("gone") {
        std::filesystem::remove(seen.project.path("src/local.h"));
        CHECK(seen.check().changed == "source:local.h is gone");
    }
    SUBCASE("earlier on the path") {
        seen.project.write("first/lib/a.h", "int a;\n");
        CHECK(seen.check().changed == "I0:lib/a.h appeared");
    }
    SUBCASE("probed for") {
        seen.project.write("second/opt.h", "");
        CHECK(seen.check().changed == "I1:opt.h appeared");
    }
    SUBCASE("in the way of a computed include") {
        seen.project.write("src/cfg/fast.h", "");
        CHECK(seen.check().changed == "source:cfg/fast.h appeared");
    }
    SUBCASE("a root that the request lacks") {
        seen.project.request.roots[2].name = "other";
        CHECK(seen.check().changed == "I1 is no root of this request");
    }
}

TEST_CASE("a new directory, or a directory of a wanted name, is no header") {
    Seen seen;
    seen.project.write("first/lib/unrelated.h", "");
    std::filesystem::create_directories(seen.project.path("first/opt.h"));
    CHECK(seen.check().same);
}

TEST_CASE("what cannot be looked at is not taken for absent") {
    Seen seen;
    seen.set.files.clear();
    seen.files.faults["status"] = EACCES;
    CHECK_FALSE(seen.check().same);
}
