// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/cubin.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Reading a cubin without cuobjdump: the ELF image of `ptxas`, as measured with CUDA 12.8 to 13.0.
namespace kiln::cubin {

struct Image {
    Target target;                      ///< with its suffix, from `.note.nv.tkinfo`
    std::string note;                   ///< what the tool note says: tool names, versions, options
    std::vector<KernelInfo> kernels;    ///< in the order of the symbol table; no expressions yet
    std::vector<std::string> undefined; ///< symbols that are called and not defined (`vprintf`)
    std::uint64_t bytes = 0; ///< length of the ELF image itself; what follows is not CUDA's
};

/// Reads and bounds-checks the ELF image at the start of `bytes`. Never reads outside, whatever the
/// contents; throws Error(cubin_invalid) that says what is wrong. Thread-safe.
Image inspect(std::span<const std::byte> bytes);

/// Throws Error(cubin_invalid) if the image is for another target than `target` (the suffix
/// counts), or Error(kernel_missing), naming those that are there, if one of `symbols` is not.
void verify(const Image& image, const Target& target, std::span<const std::string> symbols);

/// Exported text names in a PTX module: `.visible .entry NAME`, its `.version` and `.target`.
struct PtxSummary {
    std::string version; ///< `9.0`
    std::string target;  ///< `sm_120a`
    std::vector<std::string> entries;
};
/// Throws Error(cubin_invalid) if the text is not PTX.
PtxSummary inspect_ptx(std::string_view text);

} // namespace kiln::cubin
