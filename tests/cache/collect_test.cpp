// SPDX-License-Identifier: Apache-2.0
#include "cache/project.h"

#include <kiln/error.h>

using namespace kiln;
using namespace kiln::cache;

namespace {

struct Compile {
    test::Scratch scratch;
    test::Project project{scratch};
    base::DigestCache digests{base::real_file_system(), {}};
    CompileStart start = mark_compile_start(project.request, base::real_file_system());

    Collected collect() { return project.collect(start, base::real_file_system(), digests); }
};

const Input* find(const InputSet& set, const std::string& name) {
    for (const Input& file : set.files) {
        if (file.name.str() == name)
            return &file;
    }
    return nullptr;
}

bool is_absent(const InputSet& set, const std::string& missing, const std::string& below = {}) {
    for (const AbsentNames& names : set.absent) {
        if (names.missing.str() == missing && names.below == below)
            return true;
    }
    return false;
}

} // namespace

TEST_CASE("what a compile read, by names without a path") {
    Compile compile;
    const Collected collected = compile.collect();
    CHECK(collected.changed.empty());
    const InputSet& set = collected.inputs;
    REQUIRE(find(set, "source:k.cu"));
    REQUIRE(find(set, "source:local.h"));
    REQUIRE(find(set, "source:../common/shared.h"));
    REQUIRE(find(set, "I1:lib/a.h"));
    REQUIRE(find(set, "cuda:cuda_fake.h"));
    CHECK(find(set, "I1:lib/a.h")->digest == base::sha256("int a;\n"));
    CHECK_FALSE(find(set, "I1:lib/a.h")->settled);
    CHECK(std::is_sorted(set.files.begin(), set.files.end(),
                         [](const Input& a, const Input& b) { return a.name < b.name; }));
}

TEST_CASE("absent names stand below the topmost directory that is missing") {
    Compile compile;
    const InputSet set = compile.collect().inputs;
    CHECK(is_absent(set, "I0:lib", std::string("a.h\0", 4)));
    CHECK(is_absent(set, "I0:cfg", std::string("fast.h\0", 7)));
    CHECK(is_absent(set, "source:cfg", std::string("fast.h\0", 7)));
    CHECK(is_absent(set, "I0:opt.h"));
    CHECK(is_absent(set, "cuda:opt.h"));
    CHECK_FALSE(is_absent(set, "I0:lib/a.h"));
}

TEST_CASE("a write during the compile is noticed") {
    Compile compile;
    compile.project.write("second/lib/a.h", "int b;\n");
    CHECK(compile.collect().changed == "I1:lib/a.h was written during the compile");
}

TEST_CASE("a write of the last moment before the compile is not taken for one during it") {
    for (int i = 0; i < 20; ++i) {
        Compile compile;
        CHECK(compile.collect().changed.empty());
    }
}

TEST_CASE("a file moved into place during the compile is noticed, however old it is") {
    Compile compile;
    compile.project.write("second/lib/old.h", "int old;\n");
    compile.scratch.touch(compile.project.relative("second/lib/old.h"), 86'400);
    std::filesystem::rename(compile.project.path("second/lib/old.h"),
                            compile.project.path("second/lib/a.h"));
    CHECK(compile.collect().changed == "I1:lib/a.h was written during the compile");
}

TEST_CASE("a root replaced during the compile is noticed") {
    test::Scratch scratch;
    test::Project project(scratch);
    std::filesystem::rename(project.path("second"), project.path("version1"));
    std::filesystem::copy(project.path("version1"), project.path("version2"),
                          std::filesystem::copy_options::recursive);
    std::filesystem::create_directory_symlink("version1", project.path("second"));
    const CompileStart start = mark_compile_start(project.request, base::real_file_system());
    std::filesystem::remove(project.path("second"));
    std::filesystem::create_directory_symlink("version2", project.path("second"));
    base::DigestCache digests(base::real_file_system(), {});
    CHECK(project.collect(start, base::real_file_system(), digests).changed ==
          project.path("second").string() + " was replaced during the compile");
}

TEST_CASE("a file that appeared after the list was made is noticed") {
    Compile compile;
    const std::vector<std::filesystem::path> files{compile.project.request.source};
    const std::vector<std::filesystem::path> absent{compile.project.path("first/other.h")};
    const Collected collected =
        collect_inputs(files, absent, compile.project.request, compile.start,
                       base::real_file_system(), compile.digests);
    CHECK(collected.changed == "I0:other.h appeared during the compile");
}

TEST_CASE("a file that is gone is an error that names it") {
    Compile compile;
    const std::vector<std::filesystem::path> files{compile.project.path("src/gone.h")};
    const Error error = error_of([&] {
        collect_inputs(files, {}, compile.project.request, compile.start, base::real_file_system(),
                       compile.digests);
    });
    CHECK(error.code() == ErrorCode::io);
    CHECK(error.context("path") == files[0].string());
}

TEST_CASE("stamps of whole seconds leave a second of doubt") {
    // Some file systems keep no more; a write within the second of the start looks older than it.
    class WholeSeconds : public test::FaultFileSystem {
      public:
        base::FileStatus status(const Path& path, std::error_code& error) override {
            base::FileStatus status = FaultFileSystem::status(path, error);
            status.stamp.mtime_ns -= status.stamp.mtime_ns % 1'000'000'000;
            status.stamp.ctime_ns -= status.stamp.ctime_ns % 1'000'000'000;
            return status;
        }
    };
    Compile compile;
    WholeSeconds files;
    base::DigestCache digests(files, {});
    const std::vector<std::filesystem::path> sources{compile.project.request.source};
    CHECK_FALSE(collect_inputs(sources, {}, compile.project.request, compile.start, files, digests)
                    .changed.empty());
}
