// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/compiler.h"

#include <kiln/error.h>

#include <string>
#include <string_view>

namespace kiln::compile {

/// The first error in a compiler's log.
struct FirstError {
    std::string text;     ///< the message of the compiler
    std::string location; ///< `file:line` or empty
};
FirstError first_error(std::string_view log);

/// The error of a refused compile: code compile_failed or header_missing, message with module,
/// target and first error, context "location", "log"; hints for the known cases (a suffixed target
/// is needed, std header under NVRTC, CCCL not on the path, umbrella CUB header, ...).
Error explain_failure(const Job& job, std::string_view log);

} // namespace kiln::compile
