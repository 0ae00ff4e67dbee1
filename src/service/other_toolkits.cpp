// SPDX-License-Identifier: Apache-2.0
#include "service/other_toolkits.h"

#include "toolkit/on_paper.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln::service {
namespace {

/// A bare capability is served by any of its targets.
bool has(const toolkit::Capabilities& capabilities, const ArchRequest& arch) {
    if (arch.written_out)
        return capabilities.nvrtc_has(arch.target);
    return std::any_of(
        capabilities.nvrtc.begin(), capabilities.nvrtc.end(),
        [&](const Target& target) { return target.capability == arch.target.capability; });
}

} // namespace

std::string where_else(const Toolchain& toolchain, const ArchRequest& arch) {
    const auto& chosen = toolchain.toolkit;
    auto text = fmt::format("the toolkit in use is CUDA {} in {} ({})", chosen.version.str(),
                            chosen.root.string(), chosen.found_by);
    for (const auto& other : toolchain.discovery.toolkits) {
        if (other.root == chosen.root)
            continue;
        const auto paper = toolkit::on_paper(other.version.short_str());
        if (paper && has(paper->capabilities, arch))
            text += fmt::format("; CUDA {} in {} has it (--toolkit {})", other.version.str(),
                                other.root.string(), other.root.string());
    }
    return text;
}

} // namespace kiln::service
