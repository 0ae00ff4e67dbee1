// SPDX-License-Identifier: Apache-2.0
#include "toolkit/on_paper.h"

#include "toolkit/target_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace kiln::toolkit {
namespace {

std::vector<Target> targets_of(const Version& release) {
    std::vector<Target> targets;
    for (const auto& history : target_table().histories)
        for (const Suffix suffix : {Suffix::none, Suffix::a, Suffix::f})
            if (history.has(suffix, release))
                targets.push_back({history.capability, suffix, TargetKind::real});
    std::sort(targets.begin(), targets.end());
    return targets;
}

OnPaper paper(const Version& version, const Version& release) {
    OnPaper result;
    result.version = version;
    result.capabilities.nvrtc = targets_of(release);
    result.capabilities.nvcc = result.capabilities.nvrtc;
    result.capabilities.nvrtc_version = release.short_str();
    return result;
}

} // namespace

std::optional<OnPaper> on_paper(std::string_view wanted) {
    const auto& releases = target_table().releases;
    if (wanted.empty())
        return paper(releases.back(), releases.back());
    const auto version = Version::parse(wanted);
    if (!version)
        return std::nullopt;
    const bool major_only = wanted.find('.') == std::string_view::npos;
    const Version upto{version->major,
                       major_only ? std::numeric_limits<int>::max() : version->minor, 0};
    const auto above = std::upper_bound(releases.begin(), releases.end(), upto);
    if (above == releases.begin())
        return std::nullopt;
    const auto& release = *std::prev(above);
    if (release == upto)
        return paper(*version, release);
    auto result = paper(release, release);
    if (!major_only || release.major != version->major)
        result.note =
            fmt::format("Kiln knows no CUDA {}: CUDA {} is taken, the newest release below it",
                        wanted, release.str());
    return result;
}

} // namespace kiln::toolkit
