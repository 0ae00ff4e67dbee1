// SPDX-License-Identifier: Apache-2.0
#include "cache/project.h"

using namespace kiln;
using namespace kiln::cache;

namespace {

struct Cached {
    test::Scratch scratch;
    test::Project project{scratch};
    test::Store store{scratch};

    Cached() { store.compile(project); }
    /// Why a new process misses; empty for a hit, which must be the right image.
    std::string miss(const test::Project& asked) {
        const Cache::Lookup in_memory = store.find(asked);
        const Cache::Lookup found = store.open().find(asked.request);
        CHECK(in_memory.hit.has_value() == found.hit.has_value());
        CHECK(in_memory.miss_reason == found.miss_reason);
        if (found.hit)
            CHECK(test::same_image(*found.hit));
        return found.miss_reason;
    }
    std::string miss() { return miss(project); }
};

} // namespace

TEST_CASE("a hit brings back what the compile gave, from memory and from disk") {
    Cached cached;
    auto hit = cached.store.find(cached.project).hit;
    REQUIRE(hit);
    CHECK(hit->tier == Tier::memory);
    hit = cached.store.open().find(cached.project.request).hit;
    REQUIRE(hit);
    CHECK(hit->tier == Tier::disk);
    CHECK(hit->target == Target::parse("sm_90a"));
    CHECK(hit->toolkit == "13.0.88");
    CHECK(hit->key.size() == 64);
    CHECK(hit->entry ==
          (cached.store.directory / "v1/sm_90a" / hit->key.substr(0, 2) / (hit->key + ".cubin"))
              .string());
    CHECK(hit->miss_reason.empty());
    REQUIRE(hit->find("add_one"));
    CHECK(hit->find("add_one")->registers == test::metadata_90a().kernels.front().registers);
    CHECK(test::same_image(*hit));
    CHECK(cached.store.find(cached.project).hit->tier == Tier::memory);
}

TEST_CASE("what must matter: each is a miss, and says why") {
    Cached cached;
    test::Project& project = cached.project;
    SUBCASE("the source") {
        project.write("src/k.cu", "// other\n");
        CHECK(cached.miss() == "source: contents changed");
    }
    SUBCASE("a header beside the source") {
        project.write("src/local.h", "#pragma once\nint x;\n");
        CHECK(cached.miss() == "source:local.h changed");
    }
    SUBCASE("a header outside the roots") {
        project.write("common/shared.h", "int other;\n");
        CHECK(cached.miss() == "I0:../common/shared.h changed");
    }
    SUBCASE("a header of the toolkit") {
        cached.scratch.write("opt/cuda/include/cuda_fake.h", "int other;\n");
        CHECK(cached.miss() == "cuda:cuda_fake.h changed");
    }
    SUBCASE("the target of a computed include") {
        project.write("second/cfg/fast.h", "int slow;\n");
        CHECK(cached.miss() == "I1:cfg/fast.h changed");
    }
    SUBCASE("a header that is gone") {
        std::filesystem::remove(project.path("second/lib/a.h"));
        CHECK(cached.miss() == "I1:lib/a.h is gone");
    }
    SUBCASE("a new file that is found earlier") {
        project.write("first/lib/a.h", "int a;\n");
        CHECK(cached.miss() == "I0:lib/a.h appeared");
    }
    SUBCASE("a new file in the includer's own directory") {
        project.write("src/cfg/fast.h", "");
        CHECK(cached.miss() == "source:cfg/fast.h appeared");
    }
    SUBCASE("what __has_include asked for") {
        project.write("second/opt.h", "");
        CHECK(cached.miss() == "I1:opt.h appeared");
    }
    SUBCASE("an option") {
        project.set("options", "-DA=2\n-DB=2\n--use_fast_math");
        CHECK(cached.miss() == "options: -DA=1 became -DA=2");
    }
    SUBCASE("the order of options") {
        project.set("options", "-DB=2\n-DA=1\n--use_fast_math");
        CHECK(cached.miss() == "options: -DA=1 -DB=2 became -DB=2 -DA=1");
    }
    SUBCASE("the compiler") {
        project.set("compiler", "nvrtc 13.0 fedcba9876543210");
        CHECK(cached.miss() == "compiler: 0123456789abcdef became fedcba9876543210");
    }
    SUBCASE("the environment") {
        project.set("environment", "NV_NVVM_VERSION=nvvm70");
        CHECK(cached.miss() == "environment: NV_NVVM_VERSION=nvvm70 was added");
    }
    SUBCASE("the order of roots") {
        std::swap(project.request.roots[1], project.request.roots[2]);
        CHECK(cached.miss() == "search path: I0 I1 became I1 I0");
    }
    SUBCASE("the suffix of the target") {
        project.request.target = Target::parse("sm_90");
        CHECK(cached.miss() == "never seen");
    }
    SUBCASE("another instance") {
        project.set("options", "-DA=3");
        project.request.label = "k{dtype=half}";
        CHECK(cached.miss() == "never seen");
    }
}

TEST_CASE("what must not matter: each is a hit") {
    Cached cached;
    test::Project& project = cached.project;
    SUBCASE("nothing") {
        CHECK(cached.miss() == "");
    }
    SUBCASE("times") {
        for (const char* file : {"src/k.cu", "src/local.h", "second/lib/a.h"})
            cached.scratch.touch(project.relative(file), 1000);
        CHECK(cached.miss() == "");
    }
    SUBCASE("the same contents in new files") {
        std::filesystem::remove(project.path("second/lib/a.h"));
        project.write("second/lib/a.h", "int a;\n");
        CHECK(cached.miss() == "");
    }
    SUBCASE("files that nobody asks for") {
        project.write("first/lib/unrelated.h", "");
        project.write("second/cfg/fast.hpp", "");
        project.write("src/opt.h", ""); // <opt.h> is not looked for beside the source
        CHECK(cached.miss() == "");
    }
    SUBCASE("where the checkout is, and whose") {
        const test::Project other(cached.scratch, "home/another/deeper/work");
        CHECK(cached.miss(other) == "");
    }
    SUBCASE("where the toolkit is") {
        const test::Project other(cached.scratch, "home/me/checkout", "usr/local/cuda-13.0");
        CHECK(cached.miss(other) == "");
    }
    SUBCASE("where the cache is") {
        cached.store.cache.reset();
        std::filesystem::rename(cached.store.directory, cached.scratch.path("elsewhere"));
        cached.store.options.directory = cached.scratch.path("elsewhere");
        CHECK(cached.miss() == "");
    }
    SUBCASE("a label") {
        project.request.label = "another name for the same";
        CHECK(cached.miss() == "");
    }
}

TEST_CASE("a moved checkout is told apart from one with other contents") {
    Cached cached;
    const test::Project other(cached.scratch, "home/another/work");
    other.write("second/lib/a.h", "int other;\n");
    CHECK(cached.miss(other) == "I1:lib/a.h changed");
    CHECK(cached.miss() == "");
}

TEST_CASE("going back to old contents is a hit on the old entry") {
    Cached cached;
    const std::string first = cached.store.find(cached.project).hit->key;
    cached.project.write("second/lib/a.h", "int b;\n");
    CHECK_FALSE(cached.store.find(cached.project).hit);
    const std::string second = cached.store.compile(cached.project).key;
    CHECK(first != second);
    cached.project.write("second/lib/a.h", "int a;\n");
    const auto hit = cached.store.open().find(cached.project.request).hit;
    REQUIRE(hit);
    CHECK(hit->key == first);
    CHECK(test::files_below(cached.store.directory / "v1/sm_90a").size() == 2);
}

TEST_CASE("only the kernels that read a header miss when it changes") {
    const test::Scratch scratch;
    const test::Project one(scratch, "one"), two(scratch, "two"), three(scratch, "three");
    test::Store store(scratch);
    for (const test::Project* project : {&one, &two, &three}) {
        project->write("src/k.cu", "#include \"local.h\"\n#include \"../common/shared.h\"\n"
                                   "#include <lib/a.h>\n#include <cuda_fake.h>\n#include CONFIG\n"
                                   "// " +
                                       project->path("").string());
        store.compile(*project);
    }
    two.write("second/lib/a.h", "int b;\n");
    CHECK(store.find(one).hit);
    CHECK_FALSE(store.find(two).hit);
    CHECK(store.find(three).hit);
}

TEST_CASE("a touched file is read once, and then known by its new stamp to other processes too") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch, true);
    store.compile(project);
    scratch.touch(project.relative("second/lib/a.h"), 5);
    const auto reads = [&] {
        const int before = store.files->calls("read");
        CHECK(store.open().find(project.request).hit);
        return store.files->calls("read") - before;
    };
    CHECK(reads() > 2); // manifest, header, manifest again under its lock, entry
    CHECK(reads() == 2);
}

TEST_CASE("a racing write is never trusted: an unsettled stamp is checked by content") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch); // files are younger than two seconds
    store.compile(project);
    const int reads = store.files->calls("read");
    CHECK(store.find(project).hit);
    CHECK(store.files->calls("read") - reads >= 6);
}

TEST_CASE("sets that another process has seen are found after a miss in memory") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store mine(scratch), other(scratch);
    mine.compile(project);
    project.write("src/local.h", "int b;\n");
    CHECK_FALSE(mine.find(project).hit);
    other.compile(project);
    CHECK(mine.find(project).hit);
}

TEST_CASE("an untrusted list of inputs is stored nowhere") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch);
    const Cubin cubin =
        store.get().store(project.request, std::nullopt, test::metadata_90a(), test::image_90a());
    CHECK(test::same_image(cubin));
    CHECK(cubin.entry.empty());
    CHECK(cubin.key.size() == 64);
    CHECK_FALSE(store.find(project).hit);
    CHECK_FALSE(std::filesystem::exists(store.directory / "v1/sm_90a"));
}

TEST_CASE("an image that is not what was asked for is refused before it is stored") {
    const test::Scratch scratch;
    test::Project project(scratch);
    test::Store store(scratch);
    project.request.target = Target::parse("sm_90");
    CHECK(error_of([&] { store.compile(project); }).code() == ErrorCode::cubin_invalid);
    project.request.target = Target::parse("sm_90a");
    Metadata metadata = test::metadata_90a();
    metadata.kernels.front().symbol = "absent";
    CHECK(error_of([&] {
              store.get().store(project.request, InputSet{}, metadata, test::image_90a());
          }).code() == ErrorCode::kernel_missing);
    CHECK(test::files_below(store.directory).empty());
}

TEST_CASE("a cache that is not to be read or written is left alone") {
    Cached cached;
    cached.store.cache.reset();
    const auto before = test::files_below(cached.store.directory).size();
    cached.store.options.read = false;
    cached.store.options.write = false;
    CHECK(cached.store.open().find(cached.project.request).miss_reason == "the cache is off");
    const Cubin cubin = cached.store.compile(cached.project);
    CHECK(test::same_image(cubin));
    CHECK(cubin.entry.empty());
    cached.store.cache.reset();
    CHECK(test::files_below(cached.store.directory).size() == before);
}
