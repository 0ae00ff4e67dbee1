// SPDX-License-Identifier: Apache-2.0
// Logs as CUDA 13.0 and GCC 12 write them.
#include "base/temporary_directory.h"
#include "compile/diagnostics.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>

using namespace kiln;
using namespace kiln::compile;

namespace {

Job job_for(std::string_view target, Backend backend = Backend::nvrtc) {
    Job job;
    job.label = "module{n=1}";
    job.backend = backend;
    job.toolkit.version = {13, 0, 88};
    job.source = "/k/a.cu";
    job.target = Target::parse(target);
    return job;
}

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

constexpr std::string_view fp4_log =
    "/k/a.cu(1): warning #177-D: variable \"r\" was declared but never referenced\n"
    "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n"
    "ptxas application ptx input, line 30; error   : Instruction 'cvt with .e2m1x2' not supported "
    "on .target 'sm_120'\n"
    "ptxas fatal   : Ptx assembly aborted due to errors\n";

} // namespace

TEST_CASE("the first error is found in every tool's form") {
    struct Case {
        std::string_view log, text, location;
    };
    const Case cases[] = {
        {"/k/a b.cu(12): warning #177-D: unused\n/k/a b.cu(13): error: identifier \"x\" is "
         "undefined\n  code\n",
         "identifier \"x\" is undefined", "/k/a b.cu:13"},
        {"/k/a.cu(1): catastrophic error: #error directive: \"bad\"\n", "#error directive: \"bad\"",
         "/k/a.cu:1"},
        {"/k/f(1).cu(7): error #20-D: no such thing\n", "no such thing", "/k/f(1).cu:7"},
        {"In file included from a.cu:1:\n/k/m.h:4:10: fatal error: n.h: No such file or "
         "directory\n    4 | #include \"n.h\"\n",
         "n.h: No such file or directory", "/k/m.h:4"},
        {"a.cu:1:2: error: #error \"bad\"\n", "#error \"bad\"", "a.cu:1"},
        {"cc1plus: fatal error: kiln/macros.h: No such file or directory\n",
         "kiln/macros.h: No such file or directory", ""},
        {fp4_log, "Instruction 'cvt with .e2m1x2' not supported on .target 'sm_120'", ""},
        {"ptxas /tmp/x.ptx, line 30; error   : Illegal modifier\n", "Illegal modifier", ""},
        {"nvcc warning : something\nnvcc fatal   : Unsupported gpu architecture 'sm_70'\n",
         "Unsupported gpu architecture 'sm_70'", ""},
        {"nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n",
         "'cicc' died due to signal 9 (Kill signal)", ""},
        {"nvrtc: error: unrecognized option -foo found\n", "unrecognized option -foo found", ""},
        {"Command-line error: invalid or no value specified with --nv_arch flag\n\n1 catastrophic "
         "error detected in this compilation.\n",
         "invalid or no value specified with --nv_arch flag", ""},
        {"sh: 1: cicc: not found\n", "sh: 1: cicc: not found", ""},
        {"\nsome words\nmore\n", "some words", ""},
        {"", "", ""},
    };
    for (const auto& entry : cases) {
        CAPTURE(entry.log);
        const auto error = first_error(entry.log);
        CHECK(error.text == entry.text);
        CHECK(error.location == entry.location);
    }
}

TEST_CASE("a missing header is an error of its own, with the place that asks for it") {
    for (const auto* log :
         {"/k/m.h(4): catastrophic error: cannot open source file \"foo/bar.h\"\n",
          "/k/m.h(4): catastrophic error: could not open source file \"foo/bar.h\" (no directories "
          "in search list)\n",
          "/k/m.h:4:10: fatal error: foo/bar.h: No such file or directory\n"}) {
        CAPTURE(log);
        const auto error = explain_failure(job_for("sm_90"), log);
        CHECK(error.code() == ErrorCode::header_missing);
        CHECK(error.context("header") == "foo/bar.h");
        CHECK(error.context("from") == "/k/m.h:4");
        CHECK(holds(error.message(), "foo/bar.h"));
    }
}

TEST_CASE("a header that is there and cannot be opened is not said to be missing") {
    for (const auto* reason : {"Too many open files", "Permission denied"}) {
        const auto log = fmt::format(
            "/k/m.h(4): catastrophic error: cannot open source file \"foo/bar.h\": {}\n", reason);
        const auto error = explain_failure(job_for("sm_90"), log);
        CHECK(error.code() == ErrorCode::io);
        CHECK(holds(error.message(), reason));
        CHECK(error.context("header").empty());
    }
    const auto error =
        explain_failure(job_for("sm_90"), "/k/m.h(4): catastrophic error: cannot open source file "
                                          "\"foo/bar.h\": No such file or directory\n");
    CHECK(error.code() == ErrorCode::header_missing);
}

TEST_CASE("header hints: standard library, CCCL, toolkit") {
    const auto hint = [](const std::string& header, Backend backend) {
        return explain_failure(job_for("sm_90", backend),
                               "/k/a.cu(1): catastrophic error: cannot open source file \"" +
                                   header + "\"\n")
            .hint();
    };
    CHECK(holds(hint("type_traits", Backend::nvrtc), "cuda/std"));
    CHECK(holds(hint("stdint.h", Backend::nvrtc), "/usr/include"));
    CHECK_FALSE(holds(hint("type_traits", Backend::nvcc), "cuda/std"));
    CHECK(holds(hint("cuda/std/type_traits", Backend::nvrtc), "include/cccl"));
    CHECK(holds(hint("cub/block/block_reduce.cuh", Backend::nvcc), "include/cccl"));
    CHECK(holds(hint("cuda_fp16.h", Backend::nvrtc), "<toolkit>/include"));
}

TEST_CASE("an instruction that needs a suffix names the target and the spellings") {
    const auto error = explain_failure(job_for("sm_120"), fp4_log);
    CHECK(error.code() == ErrorCode::compile_failed);
    CHECK(holds(error.message(), "module{n=1} for sm_120 with NVRTC 13.0.88"));
    CHECK(holds(error.message(), "cvt with .e2m1x2"));
    CHECK(holds(error.hint(), "sm_120a"));
    CHECK(holds(error.hint(), "sm_120f"));
    CHECK(error.context("module") == "module{n=1}");
    CHECK(error.context("target") == "sm_120");
    CHECK(error.context("log") == fp4_log);
    // Hopper has no family target, what is older has no suffix at all.
    CHECK_FALSE(holds(explain_failure(job_for("sm_90"), fp4_log).hint(), "90f"));
    CHECK(holds(explain_failure(job_for("sm_80"), fp4_log).hint(), "guard"));
    CHECK(holds(explain_failure(job_for("sm_90a"), fp4_log).hint(), "guard"));
}

TEST_CASE("an unknown target is told from a bad source in both backends") {
    for (const auto* log :
         {"nvrtc: error: invalid value for --gpu-architecture (-arch)\n",
          "Command-line error: invalid or no value specified with --nv_arch flag\n",
          "nvcc fatal   : Unsupported gpu architecture 'sm_70'\n"}) {
        const auto error = explain_failure(job_for("sm_70"), log);
        CHECK(error.code() == ErrorCode::unsupported_target);
        CHECK(holds(error.hint(), "12.9"));
    }
}

TEST_CASE("umbrella headers and host functions under NVRTC have hints") {
    const auto umbrella = explain_failure(
        job_for("sm_90"), "/t/include/cccl/cub/device/dispatch/x.cuh(61): error: A function "
                          "explicitly marked as a __host__ function is not allowed in JIT mode\n");
    CHECK(holds(umbrella.hint(), "cub/block/block_reduce.cuh"));
    const auto host = explain_failure(
        job_for("sm_90"), "/k/a.cu(1): error: A function without execution space annotations "
                          "(__host__/__device__/__global__) is considered a host function\n");
    CHECK(holds(host.hint(), "-default-device"));
}

TEST_CASE("an expression that names no kernel suggests what the source declares") {
    const base::TemporaryDirectory directory("kiln-test-");
    auto job = job_for("sm_90");
    job.source = directory.path() / "a.cu";
    std::ofstream(job.source) << "template <class T> __global__ void scale(T*) {}";
    job.kernels = {"k", "scaled<float>"};
    const auto nvrtc = explain_failure(
        job, "__nv_name_map(2): error: identifier \"scaled\" is undefined\n  #pragma\n\n"
             "__nv_name_map(2): error: Error in parsing name expression for lowered name lookup. "
             "Input name expression was: \" scaled < float > \"\n");
    CHECK(nvrtc.code() == ErrorCode::kernel_missing);
    CHECK(holds(nvrtc.message(), "scaled"));
    CHECK(holds(nvrtc.hint(), "scale"));
    const auto nvcc = explain_failure(job, expression_file(1) +
                                               "(1): error: identifier \"scaled\" is undefined\n");
    CHECK(nvcc.code() == ErrorCode::kernel_missing);
    CHECK(holds(nvcc.message(), "`scaled<float>`"));
}

TEST_CASE("parts of nvcc that are killed, and host compilers that do not fit, are no bad source") {
    const auto killed =
        explain_failure(job_for("sm_90", Backend::nvcc),
                        "nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n");
    CHECK(killed.code() == ErrorCode::compiler_crashed);
    CHECK(holds(killed.hint(), "memory"));
    const auto host = explain_failure(
        job_for("sm_90", Backend::nvcc),
        "/t/include/crt/host_config.h:137:2: error: #error -- unsupported GNU version! gcc "
        "versions later than 15 are not supported!\n");
    CHECK(host.code() == ErrorCode::toolkit_unfit);
    CHECK(holds(host.hint(), "NVCC_CCBIN"));
}

TEST_CASE("a long log keeps its head and its tail") {
    const std::string log = "first error\n" + std::string(300'000, 'x') + "\nlast line";
    const auto kept = bounded_log(log);
    CHECK(kept.size() <= (64u << 10));
    CHECK(kept.starts_with("first error"));
    CHECK(kept.ends_with("last line"));
    CHECK(holds(kept, "bytes left out"));
    CHECK(bounded_log("short") == "short");
}
