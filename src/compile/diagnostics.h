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
/// Knows the forms of NVRTC and nvcc's front end, ptxas, GCC, nvcc itself and the shell it runs.
FirstError first_error(std::string_view log);

/// The header that an error says cannot be opened, or empty.
std::string missing_header(const FirstError& error);

/// At most 64 KiB: the head, a line that says how much is left out, and the tail.
std::string bounded_log(std::string_view log);

/// The error of a refused compile, with message (label, target, compiler, first error) and a hint
/// for the known cases. Codes: header_missing (context "header" and "from", file:line),
/// kernel_missing for an expression that names no kernel, unsupported_target, toolkit_unfit,
/// compiler_crashed for a part of nvcc that a signal ended, io for a full disk, else
/// compile_failed. Context: "module", "target", "location", "log".
Error explain_failure(const Job& job, std::string_view log);

/// What to do about `error`, from what the log tells; may be empty.
std::string hint_for(const Job& job, const FirstError& error, std::string_view log);

/// `error` with what every error of a job carries: "module" and "target".
Error of_job(const Error& error, const Job& job);

/// The file that stands for expression number `index` of Job::kernels in NVCC's diagnostics.
std::string expression_file(std::size_t index);

} // namespace kiln::compile
