// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toolkit/toolkit.h"

#include <filesystem>
#include <string>
#include <vector>

namespace kiln::toolkit {

/// A file that nvcc needs for its work.
struct NvccPart {
    std::string name;           ///< `ptxas`
    std::filesystem::path path; ///< empty: not found
};

/// Where nvcc's own parts lie: nvcc, cudafe++, cicc, ptxas, fatbinary, libdevice, nvcc.profile, in
/// this order, all named, the missing ones with an empty path. Only looks at the disk.
std::vector<NvccPart> nvcc_parts(const Toolkit& toolkit);

} // namespace kiln::toolkit
