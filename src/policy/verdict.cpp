// SPDX-License-Identifier: Apache-2.0
#include "policy/verdict.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kiln::policy {
namespace {

/// Why an allow opened nothing.
std::string idle_reason(const Rule& allow, std::span<const Rule* const> rules) {
    for (const Rule* rule : rules) {
        if (rule->refuses() && allow.allows(rule->name)) {
            return fmt::format("{} ({}) is not of a weaker layer", rule->name, rule->origin);
        }
    }
    return "no deny of that name holds here";
}

bool is_opted_in(const Rule& rule, std::span<const std::string> experiments) {
    return std::any_of(experiments.begin(), experiments.end(), [&rule](const std::string& glob) {
        return base::glob_match(glob, rule.name);
    });
}

} // namespace

const Rule* allowing_rule(const Rule& deny, std::span<const Rule* const> rules) noexcept {
    const auto found = std::find_if(rules.rbegin(), rules.rend(), [&deny](const Rule* rule) {
        return rule->layer > deny.layer && rule->allows(deny.name);
    });
    return found == rules.rend() ? nullptr : *found;
}

Verdicts weigh(std::span<const Rule* const> rules, std::span<const std::string> experiments) {
    Verdicts verdicts;
    std::vector<const Rule*> used;
    std::map<std::string, std::string> demands;
    for (const Rule* rule : rules) {
        if (!rule->warn.empty()) {
            verdicts.warnings.push_back({rule->warn, rule->origin});
        }
        for (const auto& [demand, value] : rule->require) {
            demands[demand] = value;
        }
        if (!rule->refuses()) {
            continue;
        }
        const Rule* allow = allowing_rule(*rule, rules);
        const bool opted_in = rule->deny.empty() && is_opted_in(*rule, experiments);
        RuleNote note{rule->name,
                      rule->origin,
                      (rule->deny.empty() ? "experimental: " : "deny: ") + rule->refusal(),
                      allow == nullptr && !opted_in,
                      {}};
        if (allow != nullptr) {
            used.push_back(allow);
            verdicts.allow = allow;
            verdicts.allow_reason =
                fmt::format("{} (allowed over {} at {}: {})", allow->allow_reason, rule->name,
                            rule->origin, rule->refusal());
            note.reason = fmt::format("allowed at {}: {}", allow->origin, allow->allow_reason);
        } else if (opted_in) {
            note.reason = "opted in to";
        } else if (verdicts.deny == nullptr) {
            verdicts.deny = rule;
            verdicts.deny_reason =
                rule->deny.empty() ? fmt::format("experimental: {}; opt in with --experimental {}",
                                                 rule->experimental, rule->name)
                                   : rule->deny;
        }
        if (rule->deny.empty() && !note.applied) {
            verdicts.warnings.push_back({"experimental: " + rule->experimental, rule->origin});
        }
        verdicts.notes.push_back(std::move(note));
    }
    for (const auto& [demand, value] : demands) {
        if (value != "none") {
            verdicts.demands.push_back(fmt::format("{}: {}", demand, value));
        }
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
