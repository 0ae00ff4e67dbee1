// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/compiler.h"

#include <filesystem>
#include <string>

namespace kiln::compile {

/// What nvcc is given. It runs `sh` itself, on names and on -D values, from an options file too
/// (measured with CUDA 13.0), so nothing with a meaning to a shell ever reaches it: the unit has a
/// safe name and includes the real source, macros that are more than a word are written as
/// directives, and everything else that is not plain is refused.
struct NvccInput {
    std::string unit_name; ///< the base name of the source, made safe: it enters mangled names
    std::string unit;      ///< includes the source, then names each expression (nvcc_names.h)
    std::string macros;    ///< directives for a file that is pre-included; empty: no such file
    std::string options;   ///< the options file, one option a line
};

/// Names within the working directory of nvcc.
namespace nvcc_files {
constexpr const char* macros = "kiln/macros.h";
constexpr const char* options = "kiln/options";
constexpr const char* output = "kiln/output";
constexpr const char* intermediate = "kiln/keep";
} // namespace nvcc_files

/// Throws Error(usage) naming what nvcc cannot be given safely, and when the options are longer
/// than nvcc bears (about 108 KB, measured: beyond it gcc fails, or nvcc ends without a word).
/// `pin_path`: ask the front end to name internal symbols by the base name alone (undocumented;
/// without it the temporary directory's name enters cubins that have internal symbols).
NvccInput make_nvcc_input(const Job& job, bool pin_path);

/// Throws Error(usage) if a shell would see more than one plain word in `path`; `what` names it.
void check_shell_safe(const std::filesystem::path& path, const std::string& what);

} // namespace kiln::compile
