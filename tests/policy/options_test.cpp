// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "base/text.h"
#include "policy/option_table.h"
#include "policy/options.h"

#include <doctest/doctest.h>

#include <string>

using kiln::Backend;
using kiln::policy::translate;
using kiln::policy::Translation;
using Outcome = Translation::Outcome;

namespace {

/// The spelling, or `dropped`, or `refused`.
std::string result(const std::string& option, Backend backend) {
    const auto translation = translate(option, backend);
    CHECK(translation.spelling.empty() == (translation.outcome != Outcome::accepted));
    CHECK(translation.reason.empty() == (translation.outcome == Outcome::accepted));
    switch (translation.outcome) {
    case Outcome::accepted:
        return kiln::base::join(translation.spelling, " ");
    case Outcome::dropped:
        return "dropped";
    case Outcome::refused:
        break;
    }
    return "refused";
}

} // namespace

TEST_CASE("both dialects") {
    struct {
        const char* option;
        const char* nvrtc;
        const char* nvcc;
    } const table[] = {
        {"--use_fast_math", "--use_fast_math", "--use_fast_math"},
        {"-use_fast_math", "-use_fast_math", "-use_fast_math"},
        {"-fmad=false", "-fmad=false", "-fmad=false"},
        {"--fmad false", "--fmad=false", "--fmad=false"},
        {"-ftz=true", "-ftz=true", "-ftz=true"},
        {"-prec-div=false", "-prec-div=false", "-prec-div=false"},
        {"--prec-sqrt=true", "--prec-sqrt=true", "--prec-sqrt=true"},
        {"-lineinfo", "-lineinfo", "-lineinfo"},
        {"--generate-line-info", "--generate-line-info", "--generate-line-info"},
        {"-G", "-G", "-G"},
        {"--maxrregcount=64", "--maxrregcount=64", "--maxrregcount=64"},
        {"-maxrregcount 64", "-maxrregcount=64", "-maxrregcount=64"},
        {"-std=c++20", "-std=c++20", "-std=c++20"},
        {"--std=c++17", "--std=c++17", "--std=c++17"},
        {"-DN", "-DN", "-DN"},
        {"-DN=1", "-DN=1", "-DN=1"},
        {"-D N=1", "-DN=1", "-DN=1"},
        {"--define-macro=N=a b", "-DN=a b", "-DN=a b"},
        {"-UN", "-UN", "-UN"},
        {"--expt-relaxed-constexpr", "dropped", "--expt-relaxed-constexpr"},
        {"--expt-extended-lambda", "refused", "--expt-extended-lambda"},
        {"--extended-lambda", "refused", "--extended-lambda"},
        {"-default-device", "-default-device", "dropped"},
        {"-device-int128", "-device-int128", "dropped"},
        {"-Xptxas=-v", "-Xptxas=-v", "-Xptxas=-v"},
        {"-Xptxas -v", "-Xptxas=-v", "-Xptxas=-v"},
        {"--ptxas-options=-v,-O3", "--ptxas-options=-v --ptxas-options=-O3",
         "--ptxas-options=-v --ptxas-options=-O3"},
        {"--resource-usage", "-Xptxas=-v", "--resource-usage"},
        {"-rdc=false", "-rdc=false", "-rdc=false"},
        {"-rdc=true", "-rdc=true", "-rdc=true"},
        {"-w", "-w", "-w"},
        {"--diag-suppress=177,550", "--diag-suppress=177,550", "--diag-suppress=177,550"},
        {"--extra-device-vectorization", "--extra-device-vectorization",
         "--extra-device-vectorization"},
        {"--split-compile=0", "--split-compile=0", "--split-compile=0"},
        {"--Ofast-compile=min", "--Ofast-compile=min", "--Ofast-compile=min"},
        {"-Ofc=max", "-Ofc=max", "-Ofc=max"},
        {"-O3", "dropped", "-O3"},
        {"--optimize=3", "dropped", "-O3"},
        {"--threads=4", "dropped", "--threads=4"},
        {"--compiler-options=-fPIC", "dropped", "--compiler-options=-fPIC"},
        {"-Xcompiler=-Wall,-Wno-unused", "dropped", "-Xcompiler=-Wall -Xcompiler=-Wno-unused"},
        {"-Xfatbin=-compress-all", "dropped", "-Xfatbin=-compress-all"},
        {"-static-global-template-stub=false", "dropped", "-static-global-template-stub=false"},
        {"-Wno-deprecated-gpu-targets", "dropped", "-Wno-deprecated-gpu-targets"},
        {"--Werror=all-warnings", "refused", "--Werror=all-warnings"},
    };
    for (const auto& row : table) {
        CAPTURE(row.option);
        CHECK(result(row.option, Backend::nvrtc) == row.nvrtc);
        CHECK(result(row.option, Backend::nvcc) == row.nvcc);
    }
}

TEST_CASE("what is Kiln's own business is refused by both, with the reason") {
    struct {
        const char* option;
        const char* reason;
    } const table[] = {
        {"-arch=sm_90", "targets belong in"},
        {"--gpu-architecture=sm_90", "targets belong in"},
        {"-gencode=arch=compute_89,code=sm_89", "targets belong in"},
        {"-gencode arch=compute_89,code=sm_89", "targets belong in"},
        {"-code=sm_89", "targets belong in"},
        {"-o x", "produced"},
        {"-cubin", "produced"},
        {"--ptx", "produced"},
        {"-E", "produced"},
        {"-dc", "link step"},
        {"-dlto", "link step"},
        {"-M", "writes files"},
        {"-MD", "writes files"},
        {"--keep", "writes files"},
        {"-time=-", "writes files"},
        {"-fdevice-time-trace=x", "writes files"},
        {"-ccbin=/usr/bin/evil", "chooses tools"},
        {"--compiler-bindir /usr/bin", "chooses tools"},
        {"-L/usr/lib", "chooses tools"},
        {"-I/usr/include", "include roots"},
        {"-I x", "include roots"},
        {"--include-path=x", "include roots"},
        {"-isystem x", "include roots"},
        {"-include=x.h", "include it in the source"},
        {"--pre-include x.h", "include it in the source"},
        {"--run", "print or stop"},
        {"--dryrun", "print or stop"},
        {"-fdevice-syntax-only", "print or stop"},
        {"--options-file=x", "has its line"},
        {"-Xcudafe=--list=x", "documented"},
        {"--use-pch=x", "stale"},
        {"--no-cache", "sets it itself"},
    };
    for (const auto& row : table) {
        CAPTURE(row.option);
        for (const Backend backend : {Backend::nvrtc, Backend::nvcc}) {
            const auto translation = translate(row.option, backend);
            CHECK(translation.outcome == Outcome::refused);
            CAPTURE(translation.reason);
            CHECK(contains(translation.reason, row.reason));
        }
    }
}

TEST_CASE("options that are handed on are looked into") {
    for (const char* option :
         {"-Xptxas=-o,x", "-Xptxas=-v,--output-file=x", "-Xptxas=-arch=sm_80", "-Xptxas=-v -o",
          "--ptxas-options=--options-file=x", "-Xcompiler=-o,x", "-Xcompiler=-Wl,-z",
          "-Xcompiler=-Wp,-MD,x", "-Xcompiler=-B/tmp", "-Xcompiler=-wrapper,sh",
          "-Xcompiler=-fplugin=x.so", "-Xfatbin=--create=x", "-Xptxas=", "-Xptxas",
          "-Xptxas=-v,,-w"}) {
        CAPTURE(option);
        CHECK(result(option, Backend::nvcc) == "refused");
    }
}

TEST_CASE("values are checked") {
    for (const char* option : {"-fmad=1",
                               "-fmad=True",
                               "-fmad",
                               "-fmad=",
                               "--use_fast_math=true",
                               "-maxrregcount=x",
                               "-maxrregcount=-1",
                               "-std=c++23",
                               "-std=gnu++17",
                               "-std",
                               "--Ofast-compile=fast",
                               "--split-compile=-1",
                               "--diag-suppress=a",
                               "--diag-suppress=1,",
                               "-O",
                               "-Ofast",
                               "-O33",
                               "--frandom-seed=a b",
                               "-D",
                               "-D=1",
                               "-D1A",
                               "-DA B",
                               "-DA(x)=1",
                               "-DA-B=1",
                               "-U",
                               "-UA=1",
                               "-DA=1\n",
                               "x.cu",
                               "",
                               "-",
                               "--",
                               "-DA=1\r"}) {
        CAPTURE(option);
        CHECK(result(option, Backend::nvrtc) == "refused");
        CHECK(result(option, Backend::nvcc) == "refused");
    }
    CHECK(contains(translate("-std=c++23", Backend::nvcc).reason, "c++20"));
    CHECK(contains(translate("-DF(x)=x", Backend::nvcc).reason, "has arguments"));
    CHECK(result(std::string("-DA=x\0y", 7), Backend::nvcc) == "refused");
}

TEST_CASE("a value may hold what a shell would act on") {
    CHECK(result("-DA=$(touch x) `y` ; \"z\" '", Backend::nvcc) == "-DA=$(touch x) `y` ; \"z\" '");
    CHECK(result("-DA=\xff\xfe", Backend::nvrtc) == "-DA=\xff\xfe");
}

TEST_CASE("an unknown option names the nearest") {
    const auto typo = translate("--use-fast-math", Backend::nvrtc);
    CHECK(typo.outcome == Outcome::refused);
    CHECK(contains(typo.reason, "did you mean `--use_fast_math`?"));
    CHECK(contains(translate("--zzzzzzzzzzzz", Backend::nvcc).reason, "not an option that Kiln"));
}

TEST_CASE("the table contradicts neither itself nor the list of refused options") {
    const auto rows = kiln::policy::option_rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(rows[i].name);
        CHECK(rows[i].name.starts_with("--"));
        CHECK(rows[i].short_name.starts_with('-'));
        CHECK((rows[i].value == kiln::policy::OptionValue::word) == !rows[i].choices.empty());
        for (std::size_t j = i + 1; j < rows.size(); ++j) {
            CHECK(rows[i].name != rows[j].name);
            CHECK(rows[i].short_name != rows[j].short_name);
        }
        for (const auto& refused : kiln::policy::refused_options()) {
            for (const auto name : kiln::base::split(refused.names, ' ')) {
                CHECK(name != rows[i].name);
                CHECK(name != rows[i].short_name);
            }
        }
    }
}
