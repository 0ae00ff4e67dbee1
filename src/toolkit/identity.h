// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest_cache.h"
#include "base/environment.h"
#include "toolkit/toolkit.h"

#include <filesystem>
#include <string>

namespace kiln::toolkit {

/// What stands for NVRTC in keys: the GNU build ids of libnvrtc and its builtins (read from their
/// ELF notes; nothing is loaded), or content digests where a build id is missing. Hexadecimal.
/// Throws Error(toolkit_unfit) if a part is missing or unreadable.
std::string nvrtc_identity(const Toolkit& toolkit, base::DigestCache& digests);

/// What stands for NVCC in keys: digests of nvcc, cudafe++, cicc, ptxas, fatbinary, libdevice,
/// nvcc.profile and of the host compiler (they carry no build id). Hexadecimal.
/// Throws Error(toolkit_unfit) naming the missing part.
std::string nvcc_identity(const Toolkit& toolkit, const std::filesystem::path& host_compiler,
                          base::DigestCache& digests);

/// The host compiler that NVCC is told to use: NVCC_CCBIN, else g++ on PATH, links resolved; empty
/// if there is none.
std::filesystem::path find_host_compiler(const base::Environment& environment);

} // namespace kiln::toolkit
