// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"
#include "base/file_system.h"
#include "toolkit/toolkit.h"

#include <kiln/arch.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kiln::toolkit {

/// The real targets that a toolkit's compilers accept, plain and suffixed, sorted. Asked of them.
struct Capabilities {
    std::vector<Target> nvrtc; ///< empty: no NVRTC, or it cannot compile
    std::vector<Target> nvcc;  ///< empty: no NVCC, or it lists none; there too with an nvcc_error
    std::string nvrtc_version; ///< what the library says of itself
    std::string nvrtc_error;   ///< why NVRTC cannot be used, or empty (builtins missing, ...)
    std::string nvcc_error;    ///< why NVCC cannot compile now (no host compiler, ...), or empty

    bool nvrtc_has(const Target& target) const noexcept;
    bool nvcc_has(const Target& target) const noexcept;
};

/// What NVRTC answers in this process: loads the library, asks its version and targets, and tries
/// every `a` and `f` spelling with a real compile. Serves `kiln-worker`; a host process calls
/// ask_capabilities instead. Never throws: trouble is in `nvrtc_error`.
Capabilities ask_nvrtc_here(const std::filesystem::path& nvrtc,
                            const std::filesystem::path& builtins);
/// One JSON line that carries `nvrtc`, `nvrtc_version` and `nvrtc_error`, and back.
std::string to_json(const Capabilities& capabilities);
std::optional<Capabilities> from_json(std::string_view text);

struct AskOptions {
    std::filesystem::path worker;  ///< the `kiln-worker` program; empty: NVRTC is asked in-process
    std::filesystem::path memory;  ///< directory where answers are remembered; empty: nowhere
    std::string identity;          ///< of the toolkit, names the remembered answer
    base::Environment environment; ///< for the child processes
};

/// What the toolkit can do: NVRTC asked through the worker (`kiln-worker --ask-nvrtc LIB BUILTINS`
/// prints to_json), NVCC by `--list-gpu-code` and a dry run for each suffix. 0.8 s of processor
/// time with CUDA 13.0, so the answer is remembered per identity, unless there is trouble in it.
/// Trouble of one compiler is in its error field, a compiler that is not there has none; throws
/// nothing else than what memory allocation does.
Capabilities ask_capabilities(const Toolkit& toolkit, const AskOptions& options,
                              base::FileSystem& files);

} // namespace kiln::toolkit
