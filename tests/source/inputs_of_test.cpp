// SPDX-License-Identifier: Apache-2.0
#include "source/header_graph.h"
#include "source/scratch.h"

#include <kiln/error.h>

#include <limits>

using namespace kiln;
using namespace kiln::source;
using Paths = std::vector<std::filesystem::path>;

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// Sources in `src`, roots `one`, `two` and `three`, and a compiler that opened what it is told.
struct Compile {
    test::Scratch scratch;
    std::int64_t started_ns = never;

    Inputs inputs(const std::string& source, const Paths& opened) {
        scratch.write("src/k.cu", source);
        Paths all{scratch.path("src/k.cu")};
        for (const auto& path : opened)
            all.push_back(scratch.path() / path);
        const SearchPath path({{"one", scratch.path("one")},
                               {"two", scratch.path("two")},
                               {"three", scratch.path("three")}});
        return inputs_of(all[0], all, path, base::real_file_system(), started_ns);
    }
    Paths paths(std::initializer_list<const char*> names) const {
        Paths result;
        for (const char* name : names)
            result.push_back(scratch.path(name));
        return result;
    }
};

} // namespace

TEST_CASE("the places before an opened file must stay empty") {
    Compile compile;
    compile.scratch.write("two/a.h", "");
    compile.scratch.write("two/b.h", "");
    const Inputs inputs = compile.inputs("#include \"a.h\"\n#include <b.h>\n#include <b.h>\n",
                                         {"two/a.h", "two/b.h"});
    CHECK(inputs.files == compile.paths({"src/k.cu", "two/a.h", "two/b.h"}));
    CHECK(inputs.absent == compile.paths({"one/a.h", "one/b.h", "src/a.h"}));
    CHECK(inputs.incomplete.empty());
}

TEST_CASE("a directive that was not reached says nothing") {
    Compile compile;
    compile.scratch.write("two/a.h", "");
    CHECK(compile.inputs("#if 0\n#include <a.h>\n#include <none.h>\n#endif\n", {}).absent.empty());
    CHECK(compile.inputs("#if 0\n#include HEADER\n#endif\n", {}).absent.empty());
}

TEST_CASE("quoted includes begin beside their own includer") {
    Compile compile;
    compile.scratch.write("two/lib/a.h", "#include \"b.h\"\n");
    compile.scratch.write("two/lib/b.h", "");
    const Inputs inputs = compile.inputs("#include <lib/a.h>\n", {"two/lib/a.h", "two/lib/b.h"});
    CHECK(inputs.absent == compile.paths({"one/lib/a.h"}));
}

TEST_CASE("include_next begins behind every root that may have led to its file") {
    Compile compile;
    compile.scratch.write("one/a.h", "#include_next <a.h>\n");
    compile.scratch.write("three/a.h", "");
    const Inputs inputs = compile.inputs("#include <a.h>\n", {"one/a.h", "three/a.h"});
    CHECK(inputs.absent == compile.paths({"two/a.h"}));
}

TEST_CASE("computed includes are explained by what was opened") {
    Compile compile;
    compile.scratch.write("three/cfg/h100.h", "");
    const Inputs inputs = compile.inputs("#include CONFIG\n", {"three/cfg/h100.h"});
    CHECK(inputs.absent == compile.paths({"one/cfg/h100.h", "src/cfg/h100.h", "two/cfg/h100.h"}));
    CHECK(inputs.incomplete.empty());
}

TEST_CASE("a computed include under nested roots may have been spelled in two ways") {
    const test::Scratch scratch;
    const auto source = scratch.write("src/k.cu", "#include CONFIG\n");
    const auto file = scratch.write("inc/cccl/x.h", "");
    const SearchPath path({{"one", scratch.path("one")},
                           {"inc", scratch.path("inc")},
                           {"cccl", scratch.path("inc/cccl")}});
    const Paths opened{source, file};
    const Inputs inputs = inputs_of(source, opened, path, base::real_file_system(), never);
    CHECK(inputs.absent == Paths{scratch.path("inc/x.h"), scratch.path("one/cccl/x.h"),
                                 scratch.path("one/x.h"), scratch.path("src/cccl/x.h"),
                                 scratch.path("src/x.h")});
}

TEST_CASE("a file that an option brought in is guarded too") {
    Compile compile;
    compile.scratch.write("two/forced.h", "");
    CHECK(compile.inputs("", {"two/forced.h"}).absent == compile.paths({"one/forced.h"}));
}

TEST_CASE("a header from a directory that only the compiler knows is guarded by all roots") {
    Compile compile;
    compile.scratch.write("builtin/sys/types.h", "");
    const Inputs inputs = compile.inputs("#include <sys/types.h>\n", {"builtin/sys/types.h"});
    CHECK(inputs.absent ==
          compile.paths({"one/sys/types.h", "three/sys/types.h", "two/sys/types.h"}));
}

TEST_CASE("probes: what is absent must stay so, what is there is an input") {
    Compile compile;
    compile.scratch.write("two/there.h", "");
    const Inputs inputs = compile.inputs("#if __has_include(<there.h>)\n#endif\n"
                                         "#if __has_include(\"gone.h\")\n#endif\n",
                                         {});
    CHECK(inputs.files == compile.paths({"src/k.cu", "two/there.h"}));
    CHECK(inputs.absent ==
          compile.paths({"one/gone.h", "one/there.h", "src/gone.h", "three/gone.h", "two/gone.h"}));
    CHECK(inputs.incomplete.empty());
}

TEST_CASE("a probe of a macro cannot be followed, and says where it stands") {
    Compile compile;
    Inputs inputs = compile.inputs("\n#if __has_include(HEADER)\n#endif\n", {});
    CHECK(inputs.incomplete == compile.scratch.path("src/k.cu").string() +
                                   ":2: the operand of __has_include(HEADER) is a macro");

    compile.scratch.write("one/macros.h", "#define HAS(x) __has_include(x)\n");
    inputs = compile.inputs("#include <macros.h>\n#if HAS(<a.h>)\n#endif\n", {"one/macros.h"});
    CHECK(inputs.incomplete.empty());
    CHECK(test::has(inputs.absent, compile.scratch.path("one/a.h")));
    inputs = compile.inputs("#include <macros.h>\n#if HAS(HEADER)\n#endif\n", {"one/macros.h"});
    CHECK(inputs.incomplete ==
          compile.scratch.path("src/k.cu").string() + ":2: the operand of HAS(HEADER) is a macro");
    // The same call of a macro that is none of that kind.
    CHECK(compile.inputs("#if HAS(HEADER)\n#endif\n", {}).incomplete.empty());
}

TEST_CASE("a file that appeared where the compiler had looked is noticed") {
    Compile compile;
    compile.scratch.write("two/a.h", "");
    compile.scratch.write("one/a.h", "");
    // The compiler found the second; the first cannot have been there then.
    compile.started_ns = 0;
    const Inputs fresh = compile.inputs("#include <a.h>\n", {"two/a.h"});
    CHECK(fresh.incomplete ==
          compile.scratch.path("one/a.h").string() + " appeared or changed during the compile");
    compile.started_ns = never;
    CHECK(compile.inputs("#include <a.h>\n", {"two/a.h"}).incomplete.empty());

    compile.started_ns = 0;
    CHECK_FALSE(compile.inputs("#if __has_include(<a.h>)\n#endif\n", {}).incomplete.empty());
}

TEST_CASE("paths: normalised, unless a link makes that another file") {
    Compile compile;
    compile.scratch.write("two/lib/a.h", "");
    compile.scratch.write("elsewhere/b.h", "");
    std::filesystem::create_directories(compile.scratch.path("elsewhere/deep"));
    std::filesystem::create_directory_symlink(compile.scratch.path("elsewhere/deep"),
                                              compile.scratch.path("two/link"));
    const Inputs inputs = compile.inputs("#include <lib/../lib/./a.h>\n#include <link/../b.h>\n",
                                         {"two/lib/../lib/./a.h", "two/link/../b.h"});
    CHECK(inputs.files == compile.paths({"src/k.cu", "two/lib/a.h", "two/link/../b.h"}));
    CHECK(test::has(inputs.absent, compile.scratch.path("one/lib/a.h")));
}

TEST_CASE("a file reached through a link goes by the name that the search gives it") {
    // GCC reports system headers with their links resolved.
    Compile compile;
    compile.scratch.write("real/a.h", "#include \"b.h\"\n");
    compile.scratch.write("real/b.h", "");
    std::filesystem::create_directories(compile.scratch.path("two"));
    std::filesystem::create_symlink(compile.scratch.path("real/a.h"),
                                    compile.scratch.path("two/a.h"));
    std::filesystem::create_directory_symlink(compile.scratch.path("real"),
                                              compile.scratch.path("three"));
    const Inputs inputs =
        compile.inputs("#include <a.h>\n#include <b.h>\n", {"real/a.h", "real/b.h"});
    CHECK(inputs.files == compile.paths({"src/k.cu", "three/b.h", "two/a.h"}));
    CHECK(inputs.absent == compile.paths({"one/a.h", "one/b.h", "two/b.h"}));
    CHECK(inputs.incomplete.empty());
}

TEST_CASE("a hard link under another name does not stand for the file that was opened") {
    Compile compile;
    compile.scratch.write("two/a.h", "");
    std::filesystem::create_directories(compile.scratch.path("one"));
    std::filesystem::create_hard_link(compile.scratch.path("two/a.h"),
                                      compile.scratch.path("one/a.h"));
    // The literal include was not reached; the computed one led to the second root.
    const Inputs inputs =
        compile.inputs("#if 0\n#include <a.h>\n#endif\n#include A_HEADER\n", {"two/a.h"});
    CHECK(test::has(inputs.files, compile.scratch.path("two/a.h")));
    CHECK(test::has(inputs.absent, compile.scratch.path("src/a.h")));
}

TEST_CASE("a link that leads back ends in a list that is not trusted, not in an endless one") {
    Compile compile;
    compile.scratch.write("two/a.h", "#include \"loop/a.h\"\n");
    std::filesystem::create_directory_symlink(compile.scratch.path("two"),
                                              compile.scratch.path("two/loop"));
    const Inputs inputs = compile.inputs("#include <a.h>\n", {"two/a.h"});
    CHECK(inputs.files.size() < 20);
    CHECK(inputs.incomplete.find("too many names") != std::string::npos);
}

TEST_CASE("an opened file that is gone is an error that names it") {
    Compile compile;
    try {
        compile.inputs("", {"two/gone.h"});
        FAIL("nothing was thrown");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::io);
        CHECK(error.context("path") == compile.scratch.path("two/gone.h").string());
    }
}

TEST_CASE("the places of a name without a dot are two in each directory") {
    Compile compile;
    compile.scratch.write("two/span", "");
    const Inputs inputs = compile.inputs("#include <span>\n", {"two/span"});
    CHECK(inputs.absent == compile.paths({"one/span", "one/span.stdh"}));
}
