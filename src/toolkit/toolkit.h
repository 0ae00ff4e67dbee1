// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toolkit/version.h"

#include <filesystem>
#include <string>
#include <vector>

namespace kiln::toolkit {

/// One CUDA installation: where its parts are. A value. Parts that are absent are empty paths.
/// Every path is absolute with links resolved where it names a file.
struct Toolkit {
    std::filesystem::path root;
    Version version;                ///< of nvcc where it is there, else of NVRTC
    std::filesystem::path nvcc;     ///< `bin/nvcc`
    std::filesystem::path nvrtc;    ///< `libnvrtc.so.13`; never `libnvrtc.alt`
    std::filesystem::path builtins; ///< `libnvrtc-builtins.so.13.0` beside it
    /// In search order, CCCL's first: `include/cccl`, `include`. Named "cccl" and "cuda" as roots.
    std::vector<std::filesystem::path> include_directories;
    std::string found_by; ///< `CUDA_HOME`, `PATH`, `/usr/local`, `python wheel`, ...
};

} // namespace kiln::toolkit
