// SPDX-License-Identifier: Apache-2.0
#include "compile/compiler.h"
#include "compile/workbench.h"
#include "cubin/inspect.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <fstream>

using namespace kiln;
using namespace kiln::compile;
using test::outcome;
using test::Workbench;
namespace fs = std::filesystem;

namespace {

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

Result compile_nvcc(const Job& job, const std::function<bool()>& cancelled = {}) {
    return make_nvcc_compiler()->run(job, cancelled);
}

std::string symbol_of(const Result& result, std::string_view expression) {
    for (const auto& kernel : result.kernels) {
        for (const auto& known : kernel.expressions) {
            if (known == expression)
                return kernel.symbol;
        }
    }
    return {};
}

constexpr std::string_view templates = R"(
    extern "C" __global__ void ec(float* p) { p[0] = 1; }
    __global__ void plain(float* p) { p[0] = 2; }
    namespace ns {
    template <class T, int N> __global__ void t(T* p, T* q, const T* r) { p[0] = q[0] + r[0] + N; }
    }
    namespace { __device__ int hidden; }
    template <class T> static __global__ void st(T* p) { p[0] = hidden; }
    using real = float;
)";

// An nvcc that is a script of ours.
fs::path fake_nvcc(const Workbench& bench, const std::string& script) {
    const auto path = bench.write("bin/nvcc", "#!/bin/sh\n" + script);
    ::chmod(path.c_str(), 0755);
    return path;
}

} // namespace

TEST_CASE("nvcc makes a cubin for exactly the target asked for") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    const auto source = bench.write("k.cu", test::trivial_kernel);
    for (const char* target : {"sm_90a", "sm_120f"}) {
        CAPTURE(target);
        auto job = bench.job(source, target, Backend::nvcc);
        job.kernels = {"k"};
        const auto result = compile_nvcc(job);
        REQUIRE(outcome(result) == "ok");
        CHECK(cubin::inspect(result.cubin).target.str() == target);
        CHECK(result.opened_exact);
        CHECK(result.opened.front() == source);
        CHECK(result.ptx.empty());
    }
}

TEST_CASE("expressions name kernels under nvcc, in one compile, and leave no trace") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    auto job = bench.job(bench.write("t.cu", templates), "sm_90", Backend::nvcc);
    job.kernels = {"ec", "plain", "ns::t<float, 4>", "ns::t<real,8>", "st<int>"};
    job.want_ptx = true;
    const auto result = compile_nvcc(job);
    REQUIRE(outcome(result) == "ok");
    CHECK(symbol_of(result, "plain") == "_Z5plainPf");
    CHECK(symbol_of(result, "ns::t<float, 4>") == "_ZN2ns1tIfLi4EEEvPT_S2_PKS1_");
    CHECK(symbol_of(result, "ns::t<real,8>") == "_ZN2ns1tIfLi8EEEvPT_S2_PKS1_");
    CHECK_FALSE(symbol_of(result, "st<int>").empty());
    CHECK(result.kernels.size() == 5);
    CHECK_FALSE(holds(result.ptx, "kiln"));
    const std::string_view image(reinterpret_cast<const char*>(result.cubin.data()),
                                 result.cubin.size());
    CHECK_FALSE(holds(image, "kiln_name"));

    // The same under another name of the same directory's contents: internal symbols, too.
    const Workbench other(*toolkit);
    auto moved = other.job(other.write("t.cu", templates), "sm_90", Backend::nvcc);
    moved.kernels = job.kernels;
    const auto again = compile_nvcc(moved);
    REQUIRE(outcome(again) == "ok");
    CHECK(again.cubin == result.cubin);
}

TEST_CASE("a virtual target gives PTX under nvcc") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    auto job = bench.job(bench.write("t.cu", templates), "compute_90", Backend::nvcc);
    job.kernels = {"ns::t<float,2>"};
    const auto result = compile_nvcc(job);
    REQUIRE(outcome(result) == "ok");
    CHECK(result.cubin.empty());
    CHECK(symbol_of(result, "ns::t<float,2>") == "_ZN2ns1tIfLi2EEEvPT_S2_PKS1_");
    CHECK_FALSE(holds(result.ptx, "kiln_name"));
}

TEST_CASE("errors under nvcc have the same codes as under NVRTC") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    const auto failure = [&](std::string_view text, std::string_view target = "sm_90",
                             const std::vector<std::string>& kernels = {}) {
        auto job = bench.job(bench.write("e.cu", text), target, Backend::nvcc);
        job.kernels = kernels;
        return compile_nvcc(job).error.value_or(Error(ErrorCode::internal, "no error"));
    };
    const auto syntax = failure("\n__global__ void k() { undefined_name; }\n");
    CHECK(syntax.code() == ErrorCode::compile_failed);
    CHECK(syntax.context("location") == (bench.path() / "e.cu").string() + ":2");

    const auto header = failure("#include \"no/such.h\"\n");
    CHECK(header.code() == ErrorCode::header_missing);
    CHECK(header.context("header") == "no/such.h");
    CHECK(header.context("from") == (bench.path() / "e.cu").string() + ":1");

    CHECK(failure("__global__ void k() {}\n", "sm_70").code() == ErrorCode::unsupported_target);

    const auto missing = failure(templates, "sm_90", {"ns::tt<float, 4>"});
    CHECK(missing.code() == ErrorCode::kernel_missing);
    CHECK(holds(missing.message(), "ns::tt<float, 4>"));
    CHECK(failure(templates, "sm_90", {"absent"}).code() == ErrorCode::kernel_missing);
}

TEST_CASE("without nvcc or host compiler nothing is started") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    auto job = bench.job(bench.write("k.cu", test::trivial_kernel), "sm_90", Backend::nvcc);
    job.toolkit.nvcc = fake_nvcc(bench, "touch started\n");
    job.host_compiler.clear();
    CHECK(compile_nvcc(job).error.value().code() == ErrorCode::toolkit_unfit);
    job.host_compiler = "/usr/bin/g++";
    job.toolkit.nvcc.clear();
    CHECK(compile_nvcc(job).error.value().code() == ErrorCode::toolkit_unfit);
    CHECK_FALSE(fs::exists(bench.path() / "started"));
}

TEST_CASE("limit, cancelling and a crash end nvcc with all it started, and leave nothing") {
    const Workbench bench({});
    bench.write("tmp/.keep", "");
    auto job = bench.job(bench.write("k.cu", test::trivial_kernel), "sm_90", Backend::nvrtc);
    job.backend = Backend::nvcc;
    job.host_compiler = "/usr/bin/g++";
    job.environment.set("TMPDIR", (bench.path() / "tmp").string());
    job.toolkit.nvcc = fake_nvcc(bench, "sleep 60 & echo $! > ../../child\nsleep 60\n");
    const auto child_lives = [&] {
        int pid = 0;
        std::ifstream(bench.path() / "child") >> pid;
        return test::process_outlives_a_second(pid);
    };

    const auto begin = std::chrono::steady_clock::now();
    job.time_limit = std::chrono::milliseconds(500);
    CHECK(compile_nvcc(job).error.value().code() == ErrorCode::timed_out);
    CHECK_FALSE(child_lives());
    job.time_limit = std::chrono::minutes(1);
    CHECK(compile_nvcc(job, [&] { return fs::exists(bench.path() / "child"); })
              .error.value()
              .code() == ErrorCode::cancelled);
    CHECK_FALSE(child_lives());
    job.toolkit.nvcc = fake_nvcc(bench, "kill -9 $$\n");
    const auto crashed = compile_nvcc(job);
    CHECK(crashed.error.value().code() == ErrorCode::compiler_crashed);
    CHECK(holds(crashed.error->hint(), "memory"));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    CHECK(std::distance(fs::directory_iterator(bench.path() / "tmp"), {}) == 1);
}

TEST_CASE("success without a cubin, or with another target's, is no success") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    auto job = bench.job(bench.write("k.cu", test::trivial_kernel), "sm_90", Backend::nvcc);
    const auto real = job.toolkit.nvcc;
    job.toolkit.nvcc = fake_nvcc(bench, "exit 0\n");
    CHECK(compile_nvcc(job).error.value().code() == ErrorCode::cubin_invalid);
    // The suffix is all that differs.
    job.toolkit.nvcc = fake_nvcc(bench, "sed -i s/sm_90/sm_90a/ kiln/options\nexec '" +
                                            real.string() + "' \"$@\"\n");
    CHECK(compile_nvcc(job).error.value().code() == ErrorCode::cubin_invalid);
}

TEST_CASE("an nvcc that cannot have the path pinned is asked again without") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    const Workbench bench(*toolkit);
    auto job = bench.job(bench.write("k.cu", test::trivial_kernel), "sm_90", Backend::nvcc);
    job.toolkit.nvcc =
        fake_nvcc(bench, "if grep -q orig_src_path_name kiln/options; then\n"
                         "  echo 'invalid option: --orig_src_path_name' >&2; exit 1\nfi\nexec '" +
                             job.toolkit.nvcc.string() + "' \"$@\"\n");
    CHECK(outcome(compile_nvcc(job)) == "ok");
}

TEST_CASE("an unwritable temporary directory is named before nvcc starts") {
    const Workbench bench({});
    auto job = bench.job(bench.write("k.cu", test::trivial_kernel), "sm_90");
    job.backend = Backend::nvcc;
    job.host_compiler = "/usr/bin/g++";
    job.toolkit.nvcc = fake_nvcc(bench, "exit 0\n");
    job.environment.set("TMPDIR", "/nonexistent");
    const auto result = compile_nvcc(job);
    REQUIRE(result.error);
    CHECK(result.error->code() == ErrorCode::io);
    CHECK(holds(result.error->message(), "/nonexistent"));
}
