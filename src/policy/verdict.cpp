// SPDX-License-Identifier: Apache-2.0
#include "policy/verdict.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln::policy {
namespace {

/// Why an allow opened nothing.
std::string idle_reason(const Rule& allow, std::span<const Rule* const> rules) {
    for (const Rule* rule : rules) {
        if (!rule->deny.empty() && allow.allows(rule->name)) {
            return fmt::format("{} ({}) is not of a weaker layer", rule->name, rule->origin);
        }
    }
    return "no deny of that name holds here";
}

} // namespace

const Rule* allowing_rule(const Rule& deny, std::span<const Rule* const> rules) noexcept {
    const auto found = std::find_if(rules.rbegin(), rules.rend(), [&deny](const Rule* rule) {
        return rule->layer > deny.layer && rule->allows(deny.name);
    });
    return found == rules.rend() ? nullptr : *found;
}

Verdicts weigh(std::span<const Rule* const> rules) {
    Verdicts verdicts;
    std::vector<const Rule*> used;
    for (const Rule* rule : rules) {
        if (rule->deny.empty()) {
            continue;
        }
        const Rule* allow = allowing_rule(*rule, rules);
        RuleNote note{rule->name, rule->origin, "deny: " + rule->deny, allow == nullptr, {}};
        if (allow != nullptr) {
            used.push_back(allow);
            verdicts.allow = allow;
            verdicts.allow_reason =
                fmt::format("{} (allowed over {} at {}: {})", allow->allow_reason, rule->name,
                            rule->origin, rule->deny);
            note.reason = fmt::format("allowed at {}: {}", allow->origin, allow->allow_reason);
        } else if (verdicts.deny == nullptr) {
            verdicts.deny = rule;
        }
        verdicts.notes.push_back(std::move(note));
    }
    for (const Rule* rule : rules) {
        if (rule->allow.empty()) {
            continue;
        }
        const bool applied = std::find(used.begin(), used.end(), rule) != used.end();
        verdicts.notes.push_back({rule->name, rule->origin,
                                  "allow " + base::join(rule->allow, ", "), applied,
                                  applied ? rule->allow_reason : idle_reason(*rule, rules)});
    }
    return verdicts;
}

} // namespace kiln::policy
