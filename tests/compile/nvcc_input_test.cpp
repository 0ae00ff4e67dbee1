// SPDX-License-Identifier: Apache-2.0
#include "compile/diagnostics.h"
#include "compile/nvcc_input.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace kiln;
using namespace kiln::compile;

namespace {

Job plain_job() {
    Job job;
    job.label = "m";
    job.backend = Backend::nvcc;
    job.source = "/k/rms norm.cu";
    job.target = Target::parse("sm_120a");
    job.host_compiler = "/usr/bin/g++-12";
    return job;
}

bool has_line(const std::string& text, const std::string& line) {
    return ('\n' + text).find('\n' + line + '\n') != std::string::npos;
}

std::string refusal(const Job& job) {
    try {
        make_nvcc_input(job, true);
    } catch (const Error& error) {
        return std::string(to_string(error.code())) + ": " + error.message();
    }
    return "accepted";
}

} // namespace

TEST_CASE("the unit has a safe name and includes the real source") {
    auto job = plain_job();
    CHECK(make_nvcc_input(job, true).unit_name == "rms_norm.cu");
    CHECK(make_nvcc_input(job, true).unit == "#include \"/k/rms norm.cu\"\n");
    job.source = "/k/$(touch pwned)/a`id`.cu";
    CHECK(make_nvcc_input(job, true).unit_name == "a_id_.cu");
    job.source = "/k/-o.cu";
    CHECK(make_nvcc_input(job, true).unit_name == "_-o.cu");
    job.source = "/k/qu\"ote.cu";
    CHECK(make_nvcc_input(job, true).unit == "#include </k/qu\"ote.cu>\n");
    job.source = "/k/qu\"o>te.cu";
    CHECK(refusal(job).starts_with("usage"));
    job.source = "/k/line\nbreak.cu";
    CHECK(refusal(job).starts_with("usage"));
}

TEST_CASE("target, host compiler and roots are among the options") {
    auto job = plain_job();
    job.roots = {{"I0", "/k/inc dir", false}, {"cuda", "/t/include", true}};
    const auto input = make_nvcc_input(job, true);
    CHECK(has_line(input.options, "-cubin"));
    CHECK(has_line(input.options, "-arch=sm_120a"));
    CHECK(has_line(input.options, "\"-ccbin=/usr/bin/g++-12\""));
    CHECK(has_line(input.options, "\"-I/k/inc dir\""));
    CHECK(has_line(input.options, "\"-isystem=/t/include\""));
    job.target = job.target.as_virtual();
    CHECK(has_line(make_nvcc_input(job, true).options, "-ptx"));
}

TEST_CASE("macros that are more than a word never come near a command line") {
    auto job = plain_job();
    job.options = {"-DN=4", "-DX=$(touch pwned)", "-UY", "-lineinfo"};
    const auto input = make_nvcc_input(job, true);
    CHECK(has_line(input.options, "-DN=4"));
    CHECK(input.options.find("touch") == std::string::npos);
    CHECK(has_line(input.options, "-include=kiln/macros.h"));
    CHECK(has_line(input.options, "\"-lineinfo\""));
    CHECK(has_line(input.macros, "#define X $(touch pwned)"));
    CHECK(has_line(input.macros, "#undef Y"));
    CHECK(input.macros.find("N 4") == std::string::npos);
}

TEST_CASE("options and paths that a shell would interpret are refused by name") {
    for (const char* option : {"-Xptxas=$(id)", "-Xcompiler=`id`", "-Xcompiler=-DX=\"a\"",
                               "-Xcompiler=a b", "-Xptxas=-v;id", "-Xptxas=a|b", "-Xptxas=~"}) {
        auto job = plain_job();
        job.options = {option};
        CAPTURE(option);
        CHECK(refusal(job).starts_with("usage: "));
        CHECK(refusal(job).find(option) != std::string::npos);
    }
    for (const char* path : {"/k/q'uote", "/k/a`id`", "/k/$(id)", "/k/a,b", "/k/a\\b", "/k/a\"b"}) {
        auto job = plain_job();
        job.roots = {{"I0", path, false}};
        CAPTURE(path);
        CHECK(refusal(job).starts_with("usage: "));
        job = plain_job();
        job.host_compiler = path;
        CHECK(refusal(job).starts_with("usage: "));
    }
}

TEST_CASE("options beyond what nvcc bears are refused with their length") {
    auto job = plain_job();
    for (int i = 0; i < 3000; ++i)
        job.roots.push_back({"I", "/a/directory/with/a/long/name/" + std::to_string(i), false});
    const auto text = refusal(job);
    CHECK(text.find("too long") != std::string::npos);
    CHECK(text.find("bytes") != std::string::npos);
}

TEST_CASE("each expression gets a marker, plain names and patterns do not") {
    auto job = plain_job();
    job.kernels = {"k", "ns::t<float, 4>", "pre*"};
    const auto unit = make_nvcc_input(job, true).unit;
    CHECK(unit.find("kiln_name_1<decltype(&ns::t<float, 4>), &ns::t<float, 4>>") !=
          std::string::npos);
    CHECK(unit.find('"' + expression_file(1) + '"') != std::string::npos);
    CHECK(unit.find("kiln_name_0") == std::string::npos);
    CHECK(unit.find("kiln_name_2") == std::string::npos);
    job.kernels = {"t<float>\n#include \"/etc/passwd\""};
    CHECK(refusal(job).starts_with("usage: "));
}
