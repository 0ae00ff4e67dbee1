// SPDX-License-Identifier: Apache-2.0
#include "policy/option_table.h"

#include <array>

namespace kiln::policy {
namespace {

using enum OptionValue;

constexpr bool single = true;
constexpr bool many = false;

constexpr OptionUse both{};
constexpr OptionUse counterpart(std::string_view spelling) {
    return {Translation::Outcome::accepted, spelling};
}
constexpr OptionUse dropped(std::string_view reason) {
    return {Translation::Outcome::dropped, reason};
}
constexpr OptionUse refused(std::string_view reason) {
    return {Translation::Outcome::refused, reason};
}

constexpr auto host_code = dropped("it concerns host code, which NVRTC does not compile");
constexpr auto host_space = dropped("NVCC has no such option: a function without a space is a host "
                                    "function there");
constexpr auto has_int128 = dropped("NVCC has __int128 without it");
constexpr auto no_prelude = dropped("it leaves out declarations that only NVRTC builds in");
constexpr auto no_relaxed = dropped("NVRTC has no such option: with -default-device its constexpr "
                                    "functions are device functions");
constexpr auto no_lambda = refused("NVRTC has no lambdas that are marked __device__");
constexpr auto own_limit = dropped("NVRTC's own limit cannot be set");
constexpr auto no_werror = refused("NVRTC makes errors of numbered warnings only: "
                                   "--diag-error=NUMBER");
constexpr auto numbered = dropped("NVRTC has no such option: --diag-suppress=1444 does it there");
constexpr auto no_warning = dropped("NVRTC has no such warning");
constexpr auto no_fatbin = dropped("NVRTC makes no fat binary");
constexpr auto one_target = dropped("NVRTC compiles one target");

constexpr std::array rows{
    // Code generation
    OptionRow{"--use_fast_math", "-use_fast_math"},
    OptionRow{"--fmad", "-fmad", boolean, single},
    OptionRow{"--ftz", "-ftz", boolean, single},
    OptionRow{"--prec-div", "-prec-div", boolean, single},
    OptionRow{"--prec-sqrt", "-prec-sqrt", boolean, single},
    OptionRow{"--maxrregcount", "-maxrregcount", integer, single},
    OptionRow{"--restrict", "-restrict"},
    OptionRow{"--extra-device-vectorization", "-extra-device-vectorization"},
    OptionRow{"--device-stack-protector", "-device-stack-protector", boolean, single},
    OptionRow{"--split-compile", "-split-compile", integer, single},
    OptionRow{"--Ofast-compile", "-Ofc", word, single, both, both, "0 min mid max"},
    OptionRow{"--jump-table-density", "-jtd", integer, single},
    OptionRow{"--frandom-seed", "-frandom-seed", text, single},
    OptionRow{"--ptxas-options", "-Xptxas", ptxas},
    // `true` is taken for plans that others carry out: Kiln itself refuses the compile (Resolver).
    OptionRow{"--relocatable-device-code", "-rdc", boolean, single},
    // Debugging
    OptionRow{"--generate-line-info", "-lineinfo"},
    OptionRow{"--device-debug", "-G"},
    OptionRow{"--dopt", "-dopt", word, single, both, both, "on"},
    OptionRow{"--debug", "-g", none, many, host_code},
    OptionRow{"--resource-usage", "-res-usage", none, many, counterpart("-Xptxas=-v")},
    // Language
    OptionRow{"--std", "-std", word, single, both, both, "c++11 c++14 c++17 c++20"},
    OptionRow{"--define-macro", "-D", define},
    OptionRow{"--undefine-macro", "-U", name},
    OptionRow{"--device-as-default-execution-space", "-default-device", none, many, both,
              host_space},
    OptionRow{"--device-int128", "-device-int128", none, many, both, has_int128},
    OptionRow{"--minimal", "-minimal", none, many, both, no_prelude},
    OptionRow{"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", none, many, no_relaxed},
    OptionRow{"--extended-lambda", "-extended-lambda", none, many, no_lambda},
    OptionRow{"--expt-extended-lambda", "-expt-extended-lambda", none, many, no_lambda},
    OptionRow{"--ftemplate-depth", "-ftemplate-depth", integer, single, own_limit},
    OptionRow{"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", integer, single,
              own_limit},
    // Diagnostics
    OptionRow{"--disable-warnings", "-w"},
    OptionRow{"--diag-suppress", "-diag-suppress", numbers},
    OptionRow{"--diag-warn", "-diag-warn", numbers},
    OptionRow{"--diag-error", "-diag-error", numbers},
    OptionRow{"--display-error-number", "-err-no"},
    OptionRow{"--no-display-error-number", "-no-err-no"},
    OptionRow{"--brief-diagnostics", "-brief-diag", boolean, single},
    OptionRow{"--Werror", "-Werror", word, many, no_werror, both,
              "all-warnings cross-execution-space-call deprecated-declarations reorder "
              "default-stream-launch missing-launch-bounds ext-lambda-captures-this"},
    OptionRow{"--Wno-deprecated-declarations", "-Wno-deprecated-declarations", none, many,
              numbered},
    OptionRow{"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets", none, many,
              no_warning},
    // Host code
    OptionRow{"--optimize", "-O", level, single, host_code},
    OptionRow{"--compiler-options", "-Xcompiler", host, many, host_code},
    OptionRow{"--fatbin-options", "-Xfatbin", fatbin, many, no_fatbin},
    OptionRow{"--no-exceptions", "-noeh", none, many, host_code},
    OptionRow{"--static-global-template-stub", "-static-global-template-stub", boolean, single,
              host_code},
    OptionRow{"--allow-unsupported-compiler", "-allow-unsupported-compiler", none, many, host_code},
    OptionRow{"--threads", "-t", integer, single, one_target},
};

} // namespace

std::span<const OptionRow> option_rows() noexcept {
    return rows;
}

} // namespace kiln::policy
