// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/cubin.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Reading a cubin without cuobjdump: the ELF image of `ptxas`, as measured with CUDA 11.8 to 13.5.
namespace kiln::cubin {

struct Image {
    /// With its suffix: from `.note.nv.tkinfo`, which every tool since CUDA 13.0 writes, and older
    /// ones for sm_100 and later; without one from the header, which has a bit for `a` there.
    Target target;
    /// False where neither says which suffix the image has; `target` has none then.
    bool suffix_known = true;
    std::string note; ///< a line a tool: name, version, build, options; empty without a tool note
    std::vector<KernelInfo> kernels;    ///< in the order of the symbol table; no expressions yet
    std::vector<std::string> undefined; ///< functions for the driver to supply (`vprintf`)
    std::uint64_t bytes = 0; ///< length of the ELF image itself; what follows is not CUDA's
};

/// Reads and bounds-checks the ELF image at the start of `bytes`. Never reads outside, whatever the
/// contents, and never writes; throws Error(cubin_invalid) that says what is wrong. Thread-safe.
/// Costs 1 to 6 microseconds for images of 3 to 170 KB.
Image inspect(std::span<const std::byte> bytes);

/// Throws Error(cubin_invalid) if the image is for another target than `target` (the suffix
/// counts), or Error(kernel_missing), naming those that are there, if some of `symbols` are not.
void verify(const Image& image, const Target& target, std::span<const std::string> symbols);

/// What the directives of a PTX module say.
struct PtxSummary {
    std::string version;              ///< `9.0`
    std::string target;               ///< `sm_120a`
    std::vector<std::string> entries; ///< kernels (`.entry`), in the order of their first mention
};
/// Throws Error(cubin_invalid) if the text is not PTX: it must begin with `.version` and `.target`.
/// A zero byte ends the text, as in what NVRTC returns.
PtxSummary inspect_ptx(std::string_view text);

} // namespace kiln::cubin
