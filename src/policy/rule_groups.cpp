// SPDX-License-Identifier: Apache-2.0
#include "policy/rule_groups.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace kiln::policy {
namespace {

bool is_open(const CheckedRule& rule) {
    const Names& modules = rule.rule->match.modules;
    return modules.empty() || !modules.globs().empty();
}

} // namespace

void RuleGroup::add(const CheckedRule& rule, SingleValue value) {
    const std::size_t index = members_.size();
    members_.push_back({&rule, std::move(value)});
    if (is_open(rule)) {
        open_.push_back(index);
        return;
    }
    for (const std::string& name : rule.rule->match.modules.exact()) {
        by_module_[name].push_back(index);
    }
}

std::vector<std::size_t> RuleGroup::neighbours(std::size_t index) const {
    const CheckedRule& rule = *members_[index].rule;
    std::vector<std::size_t> found;
    if (open_.size() > most_open) {
        return found;
    }
    if (is_open(rule)) {
        found.resize(members_.size());
        std::iota(found.begin(), found.end(), std::size_t{0});
    } else {
        found = open_;
        for (const std::string& name : rule.rule->match.modules.exact()) {
            const auto& same = by_module_.at(name);
            found.insert(found.end(), same.begin(), same.end());
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
    }
    found.erase(std::remove(found.begin(), found.end(), index), found.end());
    return found;
}

} // namespace kiln::policy
