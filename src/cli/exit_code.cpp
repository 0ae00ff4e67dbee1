// SPDX-License-Identifier: Apache-2.0
#include "cli/exit_code.h"

#include <algorithm>
#include <iterator>

namespace kiln::cli {

ExitCode exit_code_of(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::usage:
    case ErrorCode::unknown_arch:
    case ErrorCode::configuration:
    case ErrorCode::policy:
    case ErrorCode::catalog:
    case ErrorCode::source_missing:
        return ExitCode::usage;
    case ErrorCode::toolkit_missing:
    case ErrorCode::toolkit_unfit:
        return ExitCode::toolchain;
    case ErrorCode::denied:
    case ErrorCode::unsupported_target:
        return ExitCode::partial;
    case ErrorCode::sealed_miss:
        return ExitCode::sealed_miss;
    case ErrorCode::cache_unavailable:
        return ExitCode::cache_trouble;
    default:
        return ExitCode::compile_failed;
    }
}

ExitCode worse(ExitCode a, ExitCode b) noexcept {
    constexpr ExitCode order[] = {
        ExitCode::usage,       ExitCode::toolchain,      ExitCode::cache_trouble,
        ExitCode::sealed_miss, ExitCode::compile_failed, ExitCode::partial,
        ExitCode::done};
    const auto rank = [&](ExitCode code) {
        return std::find(std::begin(order), std::end(order), code);
    };
    return rank(a) <= rank(b) ? a : b;
}

} // namespace kiln::cli
