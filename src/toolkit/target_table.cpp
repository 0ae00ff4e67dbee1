// SPDX-License-Identifier: Apache-2.0
#include "toolkit/target_table.h"

#include "base/yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace kiln::embedded {
extern const std::string_view targets_yaml;
}

namespace kiln::toolkit {
namespace {

Version version_of(const base::YamlNode& node) {
    const auto parsed = Version::parse(node.text());
    if (!parsed)
        throw node.error(fmt::format("`{}` is no CUDA version", node.text()));
    return *parsed;
}

std::optional<Version> version(const base::YamlNode& entry, std::string_view key) {
    return entry.has(key) ? std::optional(version_of(entry[key])) : std::nullopt;
}

History history_of(const base::YamlNode& entry) {
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
    return history;
}

TargetTable read_table() {
    const auto document =
        base::YamlNode::parse(embedded::targets_yaml, "configs/targets.yaml", ErrorCode::internal);
    TargetTable table;
    const auto releases = document.require("releases");
    for (const auto& release : releases.items())
        table.releases.push_back(version_of(release));
    if (table.releases.empty() || !std::is_sorted(table.releases.begin(), table.releases.end()))
        throw releases.error("`releases` are listed oldest first");
    for (const auto& entry : document.require("targets").items())
        table.histories.push_back(history_of(entry));
    return table;
}

} // namespace

std::optional<Version> History::first_with(Suffix suffix) const noexcept {
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

bool History::has(Suffix suffix, const Version& release) const noexcept {
    const auto begin = first_with(suffix);
    if (suffix != Suffix::none && !begin)
        return false;
    return (!begin || *begin <= release) && (!last || release <= *last);
}

const TargetTable& target_table() {
    static const TargetTable table = read_table();
    return table;
}

} // namespace kiln::toolkit
