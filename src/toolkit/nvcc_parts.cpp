// SPDX-License-Identifier: Apache-2.0
#include "toolkit/nvcc_parts.h"

#include <initializer_list>
#include <system_error>

namespace kiln::toolkit {
namespace {

namespace fs = std::filesystem;

fs::path first_file(std::initializer_list<fs::path> candidates) {
    std::error_code error;
    for (const auto& candidate : candidates)
        if (fs::is_regular_file(candidate, error))
            return candidate;
    return {};
}

} // namespace

std::vector<NvccPart> nvcc_parts(const Toolkit& toolkit) {
    const fs::path beside = toolkit.nvcc.parent_path();
    const fs::path above = beside.parent_path();
    const fs::path& root = toolkit.root;
    const auto tool = [&](const char* name) {
        return NvccPart{name, first_file({root / "bin" / name, beside / name})};
    };
    // Debian keeps cicc beside nvcc and libdevice above it, without `nvvm`.
    return {
        {"nvcc", toolkit.nvcc},
        tool("cudafe++"),
        {"cicc", first_file({root / "nvvm/bin/cicc", above / "nvvm/bin/cicc", beside / "cicc"})},
        tool("ptxas"),
        tool("fatbinary"),
        {"libdevice", first_file({root / "nvvm/libdevice/libdevice.10.bc",
                                  above / "nvvm/libdevice/libdevice.10.bc",
                                  above / "libdevice/libdevice.10.bc"})},
        tool("nvcc.profile"),
    };
}

} // namespace kiln::toolkit
