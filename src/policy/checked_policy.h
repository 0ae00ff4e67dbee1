// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/catalog.h"
#include "policy/document.h"
#include "policy/findings.h"
#include "policy/implication.h"

#include <deque>
#include <string>
#include <vector>

namespace kiln::policy {

/// A rule with its place and its conditions, for the passes of `check`.
struct CheckedRule {
    const Rule* rule;
    base::YamlNode node;
    Conditions conditions;

    /// "`hopper` (policy.yaml:12)", or "the rule at policy.yaml:12".
    std::string title() const;
    /// The same for a reader of `other`: of its file only the line is said.
    std::string title_beside(const CheckedRule& other) const;
};

/// All that `check` has read. Rules stand weakest first.
struct CheckedPolicy {
    std::deque<ReadDocument> documents;
    std::vector<CheckedRule> rules;
    bool complete = true; ///< every document could be read
};

Finding finding_at(const base::YamlNode& node, const std::string& rule, std::string message,
                   std::string hint = {});

// The passes. Each adds to `findings`.

/// Rules and miscompiles that hold nowhere, whatever is asked.
void find_contradictions(const CheckedPolicy& policy, Findings& findings);
/// Modules, tags, parameters and values that no module has.
void find_strangers(const CheckedPolicy& policy, const catalog::Catalog& catalog,
                    Findings& findings);
/// Rules whose every value a later rule of the layer sets again, and denies behind a wider one.
void find_shadowed(const CheckedPolicy& policy, Findings& findings);
/// Rules of a layer that set one thing to different values, where only their order decides.
void find_conflicts(const CheckedPolicy& policy, const catalog::Catalog& catalog,
                    Findings& findings);
/// What `allow`, `remove` and opt-ins name, and is not there.
void find_idle_names(const CheckedPolicy& policy, const catalog::Catalog* catalog,
                     std::span<const std::string> experiments, Findings& findings);
/// Sets and variables that no rule uses.
void find_unused(const CheckedPolicy& policy, Findings& findings);

} // namespace kiln::policy
