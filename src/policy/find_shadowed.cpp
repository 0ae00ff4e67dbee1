// SPDX-License-Identifier: Apache-2.0
#include "policy/checked_policy.h"
#include "policy/flags.h"
#include "policy/rule_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace kiln::policy {
namespace {

using Groups = std::map<std::pair<Layer, std::string>, RuleGroup>;

/// Whether some rule removes the option: then the one that it stands over may come back.
bool is_removed(const CheckedPolicy& policy, const Option& option) {
    return std::any_of(policy.rules.begin(), policy.rules.end(), [&](const CheckedRule& checked) {
        const auto& removals = checked.rule->set.remove;
        return std::any_of(removals.begin(), removals.end(), [&option](const std::string& removal) {
            return removes(removal, option);
        });
    });
}

/// The later member that sets this one's value again wherever this one's rule holds, or null.
const RuleGroup::Member* successor(const CheckedPolicy& policy, const RuleGroup& group,
                                   std::size_t index) {
    for (const std::size_t other : group.neighbours(index)) {
        const RuleGroup::Member& later = group.members()[other];
        if (other > index &&
            implies(group.members()[index].rule->conditions, later.rule->conditions) &&
            (later.value.option == nullptr || !is_removed(policy, *later.value.option))) {
            return &later;
        }
    }
    return nullptr;
}

bool denies_alone(const Rule& rule) {
    return !rule.deny.empty() && rule.set.effects.empty() && rule.warn.empty() &&
           rule.require.empty();
}

void find_overridden(const CheckedPolicy& policy, Findings& findings) {
    Groups groups;
    struct Left {
        std::size_t values = 0; ///< that no later rule sets again
        std::vector<std::string> covered;
    };
    std::map<const CheckedRule*, Left> left;
    for (const CheckedRule& checked : policy.rules) {
        for (SingleValue& value : single_values(*checked.rule)) {
            auto& group = groups[{checked.rule->layer, value.key}];
            group.add(checked, std::move(value));
        }
    }
    for (const auto& [place, group] : groups) {
        for (std::size_t i = 0; i < group.members().size(); ++i) {
            const CheckedRule& checked = *group.members()[i].rule;
            Left& rule = left[&checked];
            // One value that wins somewhere is enough.
            if (rule.values > 0 || !sets_single_values_alone(*checked.rule)) {
                continue;
            }
            if (const auto* later = successor(policy, group, i); later != nullptr) {
                rule.covered.push_back(fmt::format("`{}` again by {}", place.second,
                                                   later->rule->title_beside(checked)));
            } else {
                ++rule.values;
            }
        }
    }
    for (const CheckedRule& checked : policy.rules) {
        const auto found = left.find(&checked);
        if (found == left.end() || found->second.values > 0 || found->second.covered.empty()) {
            continue;
        }
        findings.warnings.push_back(
            finding_at(checked.node, checked.rule->name,
                       fmt::format("this rule never wins: wherever it holds, later rules set {}",
                                   fmt::join(found->second.covered, ", and ")),
                       "move it behind them, or drop it"));
    }
}

void find_denied_before(const CheckedPolicy& policy, Findings& findings) {
    std::map<Layer, RuleGroup> groups;
    for (const CheckedRule& checked : policy.rules) {
        if (!checked.rule->deny.empty()) {
            groups[checked.rule->layer].add(checked, {});
        }
    }
    for (const auto& [layer, group] : groups) {
        for (std::size_t i = 0; i < group.members().size(); ++i) {
            const CheckedRule& checked = *group.members()[i].rule;
            if (!denies_alone(*checked.rule)) {
                continue;
            }
            for (const std::size_t other : group.neighbours(i)) {
                const CheckedRule& earlier = *group.members()[other].rule;
                if (other < i && implies(checked.conditions, earlier.conditions)) {
                    findings.warnings.push_back(finding_at(
                        checked.node, checked.rule->name,
                        fmt::format("{} denies all that this denies, so this is the first cause "
                                    "only where that one is allowed",
                                    earlier.title_beside(checked))));
                    break;
                }
            }
        }
    }
}

} // namespace

void find_shadowed(const CheckedPolicy& policy, Findings& findings) {
    find_overridden(policy, findings);
    find_denied_before(policy, findings);
}

} // namespace kiln::policy
