// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toolkit/toolkit.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace kiln::toolkit {

/// The release that CUDA's headers are of, and the file that says so.
struct HeaderVersion {
    std::filesystem::path file;
    Version version; ///< no patch: headers do not have it
};

/// CUDART_VERSION of the `cuda_runtime_api.h` that is first in `directories`, or CUDA_VERSION of
/// the first `cuda.h` where there is none. Nothing if neither is there or says a version.
std::optional<HeaderVersion>
find_header_version(std::span<const std::filesystem::path> directories);

/// Whether headers and compilers are of different releases, which shows as errors deep inside
/// CUDA's headers: one sentence that names both files and both versions, or nothing. `directories`
/// is the search path as a compile would have it; the toolkit's own without.
std::optional<std::string> header_mismatch(const Toolkit& toolkit,
                                           std::span<const std::filesystem::path> directories);
std::optional<std::string> header_mismatch(const Toolkit& toolkit);

} // namespace kiln::toolkit
