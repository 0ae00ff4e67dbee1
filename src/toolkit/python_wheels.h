// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"
#include "toolkit/layout.h"

#include <filesystem>
#include <vector>

namespace kiln::toolkit {

/// Directories of Python packages in the order in which python3 on PATH would use them, from the
/// layout of the disk alone: VIRTUAL_ENV's, those of the prefix of python3, the user's own.
std::vector<std::filesystem::path> site_packages_of(const base::Environment& environment);

/// What of CUDA lies in a site-packages directory.
struct WheelLook {
    std::filesystem::path root;
    Look look;
};

/// `nvidia/cu13` and the like, newest first, then the component wheels of CUDA 11 and 12 in
/// `nvidia`. Empty: no CUDA wheels there.
std::vector<WheelLook> look_at_wheels(const std::filesystem::path& site_packages);

} // namespace kiln::toolkit
