// SPDX-License-Identifier: Apache-2.0
#include "toolkit/target_history.h"

#include "toolkit/target_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace kiln::toolkit {
namespace {

std::string named(Target target, ComputeCapability capability) {
    target.capability = capability;
    return target.str();
}

/// "CUDA 12.8 to 12.9", "CUDA 12.9".
std::string span(const Version& first, const Version& last) {
    if (first == last)
        return fmt::format("CUDA {}", last.short_str());
    return fmt::format("CUDA {} to {}", first.short_str(), last.short_str());
}

std::string spelling_missing(const Target& target, const History& history) {
    std::vector<std::string> spellings;
    for (const Suffix suffix : {Suffix::none, Suffix::a, Suffix::f})
        if (suffix == Suffix::none || history.first_with(suffix))
            spellings.push_back(Target{target.capability, suffix, target.kind}.str());
    return fmt::format("no toolkit known to Kiln has {}, only {}", target.str(),
                       fmt::join(spellings, ", "));
}

} // namespace

std::string toolkits_with(const Target& target) {
    const auto& all = target_table().histories;
    const auto found = std::find_if(all.begin(), all.end(), [&](const History& history) {
        return history.capability == target.capability;
    });
    if (found == all.end()) {
        const bool newer = std::all_of(all.begin(), all.end(), [&](const History& history) {
            return history.capability < target.capability;
        });
        return newer ? fmt::format("no toolkit known to Kiln has {}", target.str()) : std::string{};
    }

    const auto first = found->first_with(target.suffix);
    if (target.suffix != Suffix::none && !first)
        return spelling_missing(target, *found);
    if (found->renamed)
        return fmt::format("{} is called {} since CUDA {}, and has the old name in {}",
                           target.str(), named(target, *found->renamed),
                           found->removed->short_str(), span(*first, *found->last));
    if (found->removed)
        return fmt::format("{} was removed in CUDA {}, the last toolkit with it is {}",
                           target.str(), found->removed->short_str(), found->last->short_str());

    auto text = fmt::format("{} is in CUDA {} and newer", target.str(), first->short_str());
    for (const auto& old : all) {
        const auto old_first = old.first_with(target.suffix);
        if (old.renamed == target.capability && old_first)
            text += fmt::format(", and is called {} in {}", named(target, old.capability),
                                span(*old_first, *old.last));
    }
    return text;
}

} // namespace kiln::toolkit
