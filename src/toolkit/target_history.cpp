// SPDX-License-Identifier: Apache-2.0
#include "toolkit/target_history.h"

#include "base/yaml.h"
#include "toolkit/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace kiln::embedded {
extern const std::string_view targets_yaml;
}

namespace kiln::toolkit {
namespace {

struct History {
    ComputeCapability capability;
    std::optional<Version> first;
    std::optional<Version> first_a;
    std::optional<Version> first_f;
    std::optional<Version> last;
    std::optional<Version> removed;
    std::optional<ComputeCapability> renamed;

    std::optional<Version> first_with(Suffix suffix) const {
        switch (suffix) {
        case Suffix::a:
            return first_a;
        case Suffix::f:
            return first_f;
        case Suffix::none:
            break;
        }
        return first;
    }
};

std::optional<Version> version(const base::YamlNode& entry, std::string_view key) {
    if (!entry.has(key))
        return std::nullopt;
    const auto node = entry[key];
    const auto parsed = Version::parse(node.text());
    if (!parsed)
        throw node.error(fmt::format("`{}` is no CUDA version", node.text()));
    return parsed;
}

std::vector<History> read_histories() {
    const auto document =
        base::YamlNode::parse(embedded::targets_yaml, "configs/targets.yaml", ErrorCode::internal);
    std::vector<History> histories;
    for (const auto& entry : document.require("targets").items()) {
        entry.only_keys({"capability", "first", "a", "f", "last", "removed", "renamed"});
        History history;
        history.capability = ComputeCapability::parse(entry.require("capability").text());
        history.first = version(entry, "first");
        history.first_a = version(entry, "a");
        history.first_f = version(entry, "f");
        history.last = version(entry, "last");
        history.removed = version(entry, "removed");
        if (history.last.has_value() != history.removed.has_value())
            throw entry.error("`last` and `removed` belong together");
        if (!history.last && !history.first)
            throw entry.error("a target needs `first` or `last`");
        if (entry.has("renamed")) {
            if (!history.first || !history.last)
                throw entry.error("a renamed target needs `first` and `last`");
            history.renamed = ComputeCapability::parse(entry["renamed"].text());
        }
        histories.push_back(history);
    }
    return histories;
}

const std::vector<History>& histories() {
    static const std::vector<History> all = read_histories();
    return all;
}

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
    const auto& all = histories();
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
