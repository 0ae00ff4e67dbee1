// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toolkit/toolkit.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// How the parts of a CUDA installation lie on disk.
namespace kiln::toolkit {

/// What was found in one place.
struct Look {
    std::optional<Toolkit> toolkit;
    std::string outcome;             ///< `CUDA 13.0.88`, or why it is no toolkit
    std::filesystem::path bare_nvcc; ///< an nvcc with none of its own parts around it
};

/// One directory with `bin`, `lib64` (or `lib`, `targets/x86_64-linux/lib`), `include`: NVIDIA's
/// own packages, a `cu13` wheel, a conda prefix, `/usr`. Starts nothing, loads nothing.
/// `nvcc_says`: the version of an nvcc that stands alone, where it was asked.
Look look_at_root(const std::filesystem::path& root, std::string_view found_by,
                  const std::optional<Version>& nvcc_says = std::nullopt);

/// The wheels of CUDA 11 and 12, one directory a component (`cuda_nvrtc/lib`,
/// `cuda_runtime/include`, ...), below `nvidia` in a site-packages directory.
Look look_at_component_wheels(const std::filesystem::path& nvidia, std::string_view found_by);

/// An NVRTC and its builtins.
struct NvrtcPair {
    std::filesystem::path nvrtc;
    std::filesystem::path builtins;
};

/// The NVRTC in the first of the directories that has one of the major of `wanted` (any, the
/// newest, without), and the builtins beside it that fit best. Never an `.alt` library: that one
/// has Windows's data model, where `long` has 32 bits. Links are resolved.
NvrtcPair find_nvrtc(const std::vector<std::filesystem::path>& directories,
                     const std::optional<Version>& wanted);

} // namespace kiln::toolkit
