// SPDX-License-Identifier: Apache-2.0
#include "compile/nvrtc_compiler.h"
#include "compile/workbench.h"
#include "cubin/inspect.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <set>

using namespace kiln;
using namespace kiln::compile;
using test::outcome;
using test::Workbench;

namespace {

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

Result compile_nvrtc(const Job& job) {
    return make_nvrtc_compiler()->run(job, {});
}

const KernelInfo* find(const Result& result, std::string_view expression) {
    for (const auto& kernel : result.kernels) {
        if (kernel.symbol == expression ||
            std::find(kernel.expressions.begin(), kernel.expressions.end(), expression) !=
                kernel.expressions.end())
            return &kernel;
    }
    return nullptr;
}

// The real library, but a stranger to the undocumented options.
std::shared_ptr<const toolkit::NvrtcLibrary> older_library(const toolkit::Toolkit& toolkit) {
    static std::shared_ptr<const toolkit::NvrtcLibrary> real;
    real = toolkit::NvrtcLibrary::open(toolkit.nvrtc, toolkit.builtins);
    auto library = std::make_shared<toolkit::NvrtcLibrary>(*real);
    library->compile_program = [](nvrtcProgram program, int count, const char* const* options) {
        for (int i = 0; i < count; ++i) {
            if (std::strncmp(options[i], "-Xcudafe", 8) == 0)
                return real->compile_program(program, 1, std::array{"-Xcudafe0"}.data());
        }
        return real->compile_program(program, count, options);
    };
    return library;
}

} // namespace

TEST_CASE("options come in a fixed order: the job's, the target, Kiln's, the roots") {
    Job job;
    job.target = Target::parse("sm_120a");
    job.options = {"-DN=1", "--use_fast_math"};
    job.roots = {{"cuda", "/t/include", true}, {"I0", "/k/inc dir", false}};
    CHECK(nvrtc_options(job, 1300) ==
          std::vector<std::string>{"-DN=1", "--use_fast_math", "--gpu-architecture=sm_120a",
                                   "--no-cache", "-modify-stack-limit=false", "-I/k/inc dir",
                                   "-I/t/include"});
    const auto old = nvrtc_options(job, 1208);
    CHECK(std::find(old.begin(), old.end(), "--no-cache") == old.end());
    job.options = {"-DX=a\nb"};
    CHECK_THROWS_AS(nvrtc_options(job, 1300), Error);
}

TEST_CASE("a trivial kernel becomes a cubin for exactly the target asked for") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    const auto source = bench.write("k.cu", test::trivial_kernel);
    const auto compiler = make_nvrtc_compiler();
    for (const char* target : {"sm_90", "sm_90a", "sm_120", "sm_120a", "sm_120f"}) {
        CAPTURE(target);
        auto job = bench.job(source, target);
        job.kernels = {"k"};
        const auto result = compiler->run(job, {});
        REQUIRE(outcome(result) == "ok");
        CHECK(cubin::inspect(result.cubin).target.str() == target);
        REQUIRE(result.kernels.size() == 1);
        CHECK(result.kernels[0].symbol == "k");
        CHECK(result.kernels[0].parameters.size() == 1);
        CHECK(result.ptx.empty());
        CHECK(result.opened == std::vector<std::filesystem::path>{source});
        CHECK(result.opened_exact);
        CHECK(result.seconds > 0);
    }
}

TEST_CASE("a virtual target gives PTX and no cubin; a wish for PTX gives both") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    const auto source = bench.write("k.cu", test::trivial_kernel);
    auto job = bench.job(source, "compute_90");
    job.kernels = {"k"};
    auto result = compile_nvrtc(job);
    REQUIRE(outcome(result) == "ok");
    CHECK(result.cubin.empty());
    CHECK(holds(result.ptx, ".visible .entry k("));
    CHECK(result.kernels.at(0).symbol == "k");
    job.target = Target::parse("sm_90");
    job.want_ptx = true;
    result = compile_nvrtc(job);
    REQUIRE(outcome(result) == "ok");
    CHECK_FALSE(result.cubin.empty());
    CHECK(holds(result.ptx, ".target sm_90"));
}

TEST_CASE("kernels are found by expression, by plain name and as extern C") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    auto job = bench.job(bench.write("n.cu", R"(
        extern "C" __global__ void ec(float* p) { p[0] = 1; }
        __global__ void plain(float* p) { p[0] = 2; }
        namespace ns {
        template <class T, int N> __global__ void t(T* p) { p[0] = N; }
        }
        using real = float;
    )"),
                         "sm_90");
    job.kernels = {"ec", "plain", "ns::t<float, 4>", "ns::t<float,4>", "ns::t<real, 8>"};
    const auto result = compile_nvrtc(job);
    REQUIRE(outcome(result) == "ok");
    REQUIRE(find(result, "plain") != nullptr);
    CHECK(find(result, "plain")->symbol == "_Z5plainPf");
    REQUIRE(find(result, "ns::t<float, 4>") != nullptr);
    CHECK(find(result, "ns::t<float, 4>")->symbol == "_ZN2ns1tIfLi4EEEvPT_");
    CHECK(find(result, "ns::t<float,4>") == find(result, "ns::t<float, 4>"));
    REQUIRE(find(result, "ns::t<real, 8>") != nullptr);
    CHECK(find(result, "ns::t<real, 8>")->symbol == "_ZN2ns1tIfLi8EEEvPT_");
    CHECK(result.kernels.size() == 4);
}

TEST_CASE("kernels that are not there are an error that says what is") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    auto job = bench.job(bench.write("n.cu", "template <class T> __global__ void scale(T*) {}\n" +
                                                 std::string(test::trivial_kernel)),
                         "sm_90");
    job.kernels = {"kk"};
    auto result = compile_nvrtc(job);
    REQUIRE(result.error);
    CHECK(result.error->code() == ErrorCode::kernel_missing);
    CHECK(holds(result.error->hint(), "`k`"));
    CHECK(result.cubin.empty());
    job.kernels = {"scal<float>"};
    result = compile_nvrtc(job);
    REQUIRE(result.error);
    CHECK(result.error->code() == ErrorCode::kernel_missing);
    CHECK(holds(result.error->hint(), "scale"));
    job.source = bench.write("t.cu", "template <class T> __global__ void scale(T*) {}\n");
    job.kernels = {};
    result = compile_nvrtc(job);
    REQUIRE(result.error);
    CHECK(result.error->code() == ErrorCode::kernel_missing);
}

TEST_CASE("errors of a source have code, place and log") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    const auto compiler = make_nvrtc_compiler();
    const auto failure = [&](std::string_view text, std::string_view target = "sm_90") {
        const auto result = compiler->run(bench.job(bench.write("e.cu", text), target), {});
        return result.error.value_or(Error(ErrorCode::internal, "no error"));
    };
    const auto syntax = failure("\n__global__ void k() { undefined_name; }\n");
    CHECK(syntax.code() == ErrorCode::compile_failed);
    CHECK(syntax.context("location") == (bench.path() / "e.cu").string() + ":2");
    CHECK(holds(syntax.context("log"), "undefined_name"));
    CHECK(syntax.context("target") == "sm_90");

    const auto header = failure("#include \"no/such.h\"\n");
    CHECK(header.code() == ErrorCode::header_missing);
    CHECK(header.context("header") == "no/such.h");

    CHECK(failure("__global__ void k() {}\n", "sm_90f").code() == ErrorCode::unsupported_target);
    CHECK(failure("__global__ void k() {}\n", "sm_70").code() == ErrorCode::unsupported_target);

    const auto suffix = failure(R"(extern "C" __global__ void k(unsigned short* p, float a) {
        asm("{.reg .b8 t; cvt.rn.satfinite.e2m1x2.f32 t, %1, %1; mov.b16 %0,{t,t};}"
            : "=h"(p[0]) : "f"(a)); })",
                                "sm_120");
    CHECK(suffix.code() == ErrorCode::compile_failed);
    CHECK(holds(suffix.hint(), "sm_120f"));

    CHECK(failure(std::string("int x;\0int y;", 13)).code() == ErrorCode::usage);
    Job absent = bench.job(bench.path() / "absent.cu", "sm_90");
    CHECK(compiler->run(absent, {}).error.value().code() == ErrorCode::source_missing);
}

TEST_CASE("a byte order mark is no error") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    const auto source = bench.write("b.cu", "\xEF\xBB\xBF" + std::string(test::trivial_kernel));
    CHECK(outcome(compile_nvrtc(bench.job(source, "sm_90"))) == "ok");
}

TEST_CASE("deep nesting does not end the process") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    constexpr int depth = 20'000;
    const auto source = bench.write(
        "deep.cu", "extern \"C\" __global__ void k(int* p) { p[0] = " + std::string(depth, '(') +
                       "1" + std::string(depth, ')') + "; }\n");
    CHECK(outcome(compile_nvrtc(bench.job(source, "sm_90"))) == "ok");
}

TEST_CASE("without the include trace the time trace lists the same files") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    bench.write("inc/a.h", "#include \"b.h\"\n");
    bench.write("inc/b.h", "__device__ int b() { return 1; }\n");
    auto job =
        bench.job(bench.write("d.cu", "#include <a.h>\n#include <cuda_fp16.h>\n"
                                      "extern \"C\" __global__ void k(int* p) { *p = b(); }\n"),
                  "sm_90");
    job.roots.insert(job.roots.begin(), {"I0", bench.path() / "inc", false});
    const auto traced = compile_nvrtc(job);
    NvrtcCompiler older(older_library);
    const auto fallback = older.run(job, {});
    REQUIRE(outcome(traced) == "ok");
    REQUIRE(outcome(fallback) == "ok");
    CHECK(traced.opened_exact);
    CHECK(fallback.opened_exact);
    CHECK(traced.opened.size() == 4);
    CHECK(std::set(traced.opened.begin(), traced.opened.end()) ==
          std::set(fallback.opened.begin(), fallback.opened.end()));
    CHECK(traced.cubin.size() == fallback.cubin.size());
}

TEST_CASE("a failed compile says what it opened too") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    const auto header = bench.write("h.h", "int broken(\n");
    const auto source = bench.write("f.cu", "#include \"h.h\"\n");
    const auto result = compile_nvrtc(bench.job(source, "sm_90"));
    CHECK(result.error);
    CHECK(result.opened_exact);
    CHECK(result.opened == std::vector<std::filesystem::path>{source, header});
}

TEST_CASE("a variable that NVRTC would read and the job does not have is refused") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    auto job = bench.job(bench.write("k.cu", test::trivial_kernel), "sm_90");
    ::setenv("NV_NVVM_VERSION", "nvvm-latest", 1);
    const auto refused = compile_nvrtc(job);
    job.environment.set("NV_NVVM_VERSION", "nvvm-latest");
    const auto agreed = compile_nvrtc(job);
    ::unsetenv("NV_NVVM_VERSION");
    REQUIRE(refused.error);
    CHECK(refused.error->code() == ErrorCode::toolkit_unfit);
    CHECK(holds(refused.error->message(), "NV_NVVM_VERSION"));
    CHECK(outcome(agreed) == "ok");
}

TEST_CASE("without builtins the error names what is missing") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    auto job = bench.job(bench.write("k.cu", test::trivial_kernel), "sm_90");
    job.toolkit.builtins = bench.write("libnvrtc-builtins.so.13.0", "");
    const auto result = compile_nvrtc(job);
    REQUIRE(result.error);
    CHECK(result.error->code() == ErrorCode::toolkit_unfit);
    CHECK(holds(result.error->message(), "libnvrtc-builtins"));
}
