// SPDX-License-Identifier: Apache-2.0
#include "toolkit/ptx_forms.h"

#include "base/yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace kiln::embedded {
extern const std::string_view ptx_forms_yaml;
}

namespace kiln::toolkit {
namespace {

std::vector<Target> targets_of(const base::YamlNode& node) {
    std::vector<Target> targets;
    for (const auto& item : node.items())
        targets.push_back(Target::parse(item.text()));
    std::sort(targets.begin(), targets.end());
    return targets;
}

std::vector<PtxForm> read_forms() {
    const auto document = base::YamlNode::parse(embedded::ptx_forms_yaml, "configs/ptx_forms.yaml",
                                                ErrorCode::internal);
    document.only_keys({"toolkit", "targets", "forms"});
    std::map<std::string, std::vector<Target>> lists;
    for (const auto& entry : document.require("targets").entries())
        lists.emplace(entry.key, targets_of(*entry.value));
    std::vector<PtxForm> forms;
    for (const auto& item : document.require("forms").items()) {
        item.only_keys({"name", "targets", "refusal", "ptx"});
        const auto list = lists.find(item.require("targets").text());
        if (list == lists.end())
            throw item["targets"].error(
                fmt::format("there is no list `{}`", item["targets"].text()));
        forms.push_back({item.require("name").text(), item.require("ptx").text(),
                         item.has("refusal") ? item["refusal"].text() : std::string(),
                         list->second});
    }
    return forms;
}

} // namespace

std::span<const PtxForm> ptx_forms() {
    static const std::vector<PtxForm> forms = read_forms();
    return forms;
}

std::vector<Target> targets_accepting(std::string_view refusal) {
    std::optional<std::vector<Target>> found;
    for (const PtxForm& form : ptx_forms()) {
        if (refusal.empty() || form.refusal != refusal)
            continue;
        if (found && *found != form.targets)
            return {};
        found = form.targets;
    }
    return found.value_or(std::vector<Target>{});
}

} // namespace kiln::toolkit
