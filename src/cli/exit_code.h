// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/error.h>

/// Exit codes that scripts may rely on; where several apply: 2, 3, 6, 5, 1, 4 in this order.
namespace kiln::cli {

enum class ExitCode {
    done = 0,
    compile_failed = 1,
    usage = 2,
    toolchain = 3,
    partial = 4,
    sealed_miss = 5,
    cache_trouble = 6
};

/// The class that an error belongs to.
ExitCode exit_code_of(ErrorCode code) noexcept;
/// The one of two that wins.
ExitCode worse(ExitCode a, ExitCode b) noexcept;

} // namespace kiln::cli
