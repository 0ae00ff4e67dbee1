// SPDX-License-Identifier: Apache-2.0
// What must be the same whichever backend a plan chooses.
#include "compile/compiler.h"
#include "compile/workbench.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace kiln;
using namespace kiln::compile;
using test::outcome;
using test::Workbench;
namespace fs = std::filesystem;

namespace {

bool holds(const std::vector<std::byte>& image, std::string_view part) {
    const std::string_view text(reinterpret_cast<const char*>(image.data()), image.size());
    return text.find(part) != std::string_view::npos;
}

std::set<fs::path> below(const std::vector<fs::path>& files, const fs::path& directory) {
    std::set<fs::path> result;
    for (const auto& file : files) {
        if (file.native().starts_with(directory.native() + '/'))
            result.insert(file);
    }
    return result;
}

} // namespace

TEST_CASE("both backends open the same files of a project") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    bench.write("src/sibling.h", "#include \"deep/../deep/inner.h\"\n");
    bench.write("src/deep/inner.h", "#pragma once\n__device__ int inner() { return 1; }\n");
    bench.write("inc/a.h",
                "#include \"b.h\"\n#if __CUDA_ARCH__ >= 1000\n#include \"new.h\"\n#endif\n");
    bench.write("inc/b.h", "#define NAME \"by_macro.h\"\n#include NAME\n");
    bench.write("inc/by_macro.h", "#if 0\n#include \"unused.h\"\n#endif\n");
    bench.write("inc/new.h", "");
    bench.write("inc/unused.h", "");
    const auto source = bench.write("src/k.cu", "#include \"sibling.h\"\n#include <a.h>\n"
                                                "#include <cuda_fp16.h>\n"
                                                "#if __has_include(<unused.h>)\n#endif\n"
                                                "extern \"C\" __global__ void k(int* p) "
                                                "{ *p = inner(); }\n");
    std::vector<Result> results;
    for (const auto backend : {Backend::nvrtc, Backend::nvcc}) {
        auto job = bench.job(source, "sm_90", backend);
        job.roots.insert(job.roots.begin(), {"I0", bench.path() / "inc", false});
        results.push_back(make_compiler()->run(job, {}));
        REQUIRE(outcome(results.back()) == "ok");
        CHECK(results.back().opened_exact);
        const auto& opened = results.back().opened;
        CHECK(std::any_of(opened.begin(), opened.end(),
                          [](const fs::path& path) { return path.filename() == "cuda_fp16.h"; }));
        // Named as the root is, so that it has a logical name.
        const auto& cuda = job.roots.back().path;
        CHECK(std::find(opened.begin(), opened.end(), cuda / "cuda_fp16.h") != opened.end());
    }
    const auto expected = std::set<fs::path>{source,
                                             bench.path() / "src/sibling.h",
                                             bench.path() / "src/deep/inner.h",
                                             bench.path() / "inc/a.h",
                                             bench.path() / "inc/b.h",
                                             bench.path() / "inc/by_macro.h"};
    CHECK(below(results[0].opened, bench.path()) == expected);
    CHECK(below(results[1].opened, bench.path()) == expected);
}

TEST_CASE("macro values arrive literally, and no shell sees them") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    const auto pwned = bench.path() / "pwned";
    const std::string touch = "touch " + pwned.string();
    // A backslash stands in a literal, where stringising keeps it.
    const std::vector<std::string> values{"4",
                                          "a b",
                                          "$(" + touch + ")",
                                          "`" + touch + "`",
                                          "\"\\$(" + touch + ")\"",
                                          ";" + touch + ";",
                                          "a,b",
                                          "'a'",
                                          "it's",
                                          "$HOME ${HOME}",
                                          "a&b|c>d",
                                          "#x",
                                          "*?[x]~!"};
    for (const auto backend : {Backend::nvrtc, Backend::nvcc}) {
        // In one compile: nvcc is slow.
        std::string text;
        std::vector<std::string> options;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto number = std::to_string(i);
            text += "extern \"C\" __device__ char text" + number + "[] = \"<<\" EXPANDED(X" +
                    number + ") \">>\";\n";
            options.push_back("-DX" + number + "=" + values[i]);
        }
        auto job = bench.job(bench.write("all.cu", "#define TEXT(...) #__VA_ARGS__\n"
                                                   "#define EXPANDED(...) TEXT(__VA_ARGS__)\n" +
                                                       text + std::string(test::trivial_kernel)),
                             "sm_90", backend);
        job.options = options;
        const auto result = make_compiler()->run(job, {});
        REQUIRE(outcome(result) == "ok");
        for (const auto& value : values) {
            CAPTURE(value);
            CHECK(holds(result.cubin, "<<" + value + ">>"));
        }
        CHECK_FALSE(fs::exists(pwned));
        // A line break can stand in no macro: both say so.
        job.options = {"-DX=a\nb"};
        CHECK(make_compiler()->run(job, {}).error.value().code() == ErrorCode::usage);
    }
}

TEST_CASE("sources whose names a shell would run compile, and nothing runs") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    for (const char* name :
         {"a$(touch pwned).cu", "d `touch pwned`/b c;touch pwned.cu", "q'uo\"te\\.cu", "-x.cu"}) {
        const auto source =
            bench.write(name, "#include \"near.h\"\n" + std::string(test::trivial_kernel));
        bench.write((fs::path(name).parent_path() / "near.h").string(), "");
        for (const auto backend : {Backend::nvrtc, Backend::nvcc}) {
            CAPTURE(name);
            CAPTURE((backend == Backend::nvcc));
            auto job = bench.job(source, "sm_90", backend);
            const auto result = make_compiler()->run(job, {});
            CHECK(outcome(result) == "ok");
            CHECK(result.opened.size() >= 2);
        }
    }
    for (const auto& file : fs::recursive_directory_iterator(bench.path()))
        CHECK(file.path().filename() != "pwned");
    CHECK_FALSE(fs::exists("pwned"));
}

TEST_CASE("include directories with blanks and other letters work, dangerous ones are refused") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    const auto source = bench.write("k.cu", "#include <r.h>\n" + std::string(test::trivial_kernel));
    for (const std::string name : {"inc dir", "\xE6\x97\xA5\xE6\x9C\xAC", "a;b&(c)", "q'uote"}) {
        bench.write(name + "/r.h", "");
        for (const auto backend : {Backend::nvrtc, Backend::nvcc}) {
            CAPTURE(name);
            auto job = bench.job(source, "sm_90", backend);
            job.roots.insert(job.roots.begin(), {"I0", bench.path() / name, false});
            const auto result = make_compiler()->run(job, {});
            if (backend == Backend::nvcc && name == "q'uote")
                CHECK(outcome(result).starts_with("usage: "));
            else
                CHECK(outcome(result) == "ok");
        }
    }
}
