// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cubin/elf_image.h"

#include <optional>
#include <string>

namespace kiln::cubin {

/// `.note.nv.tkinfo`: who made the image and with which options.
struct ToolNote {
    std::string text;   ///< a line a tool: `ptxas; Cuda compilation tools, ...; -arch sm_90a`
    std::string target; ///< what `-arch` names, as written
};

/// Nothing if the image has no such note, as from ptxas before CUDA 13.0 for all before sm_100.
/// Where several tools wrote one, the first made the image: nvlink puts its own before those of
/// what it linked. Throws Error(cubin_invalid) for a note that is damaged or names no target.
std::optional<ToolNote> read_tool_note(const ElfImage& image);

} // namespace kiln::cubin
