// SPDX-License-Identifier: Apache-2.0
#include "policy/checked_policy.h"
#include "policy/rule_groups.h"
#include "policy/witness.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>

namespace kiln::policy {
namespace {

constexpr std::size_t most_named = 3;

/// The later members whose order to this one decides, strongest last; one more than are named.
std::vector<const RuleGroup::Member*> rivals(const RuleGroup& group, std::size_t index,
                                             Witnesses& witnesses) {
    const RuleGroup::Member& member = group.members()[index];
    const Conditions& conditions = member.rule->conditions;
    std::vector<std::size_t> later;
    for (const std::size_t other : group.neighbours(index)) {
        if (other > index) {
            later.push_back(other);
        }
    }
    std::vector<const RuleGroup::Member*> found;
    std::vector<const CheckedRule*> stronger;
    // From the strongest down, so that what stands over a pair is known.
    for (auto at = later.rbegin(); at != later.rend() && found.size() <= most_named; ++at) {
        const RuleGroup::Member& other = group.members()[*at];
        const Conditions& others = other.rule->conditions;
        if (disjoint(conditions, others)) {
            continue;
        }
        if (implies(conditions, others)) {
            return {}; // a stronger one always counts: that is another finding
        }
        if (other.value.value != member.value.value && !implies(others, conditions) &&
            witnesses.overlap_in_part(*member.rule, *other.rule, stronger)) {
            found.insert(found.begin(), &other);
        }
        stronger.push_back(other.rule);
    }
    return found;
}

} // namespace

void find_conflicts(const CheckedPolicy& policy, const catalog::Catalog& catalog,
                    Findings& findings) {
    std::map<std::pair<Layer, std::string>, RuleGroup> groups;
    for (const CheckedRule& checked : policy.rules) {
        for (SingleValue& value : single_values(*checked.rule)) {
            auto& group = groups[{checked.rule->layer, value.key}];
            group.add(checked, std::move(value));
        }
    }
    Witnesses witnesses(catalog);
    for (const auto& [place, group] : groups) {
        for (std::size_t i = 0; i < group.members().size(); ++i) {
            const RuleGroup::Member& member = group.members()[i];
            const auto found = rivals(group, i, witnesses);
            if (found.empty()) {
                continue;
            }
            std::vector<std::string> named;
            for (std::size_t k = found.size() > most_named ? 1 : 0; k < found.size(); ++k) {
                named.push_back(fmt::format("{} to {}", found[k]->rule->title_beside(*member.rule),
                                            found[k]->value.value));
            }
            findings.warnings.push_back(finding_at(
                member.rule->node, member.rule->rule->name,
                fmt::format(
                    "this rule sets `{}` to {}, and {}{}; where both hold, the order of the "
                    "rules decides",
                    place.second, member.value.value, fmt::join(named, ", "),
                    found.size() > most_named ? ", and others" : ""),
                "where the later one is not meant, say so with `unless:`"));
        }
    }
}

} // namespace kiln::policy
