// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/arch_set.h"
#include "policy/match.h"
#include "policy/rule.h"

#include <optional>
#include <string>

namespace kiln::policy {

/// What can be proved of the conditions of rules without asking any facts. Each answer "yes" is a
/// proof; "no" means that there is none, not that the contrary holds. Nothing is assumed of
/// modules, toolkits or devices that exist; of an arch, that it is one of its own list.

/// A Match with the arches that it takes.
struct Terms {
    const Match* match;
    ArchSet archs;
    std::optional<ArchSet> any; ///< of `any_arch`

    explicit Terms(const Match& conditions);
};

/// A rule's `match` and `unless`, ready for comparison. The rule must outlive it.
struct Conditions {
    Terms match;
    std::optional<Terms> unless;
    ArchSet archs; ///< of `match`, less those that an `unless` about the arch alone takes away
    Stage stage;   ///< what is not known yet keeps a rule from holding

    Conditions(const Match& match, const std::optional<Match>& unless);
    explicit Conditions(const Rule& rule) : Conditions(rule.match, rule.unless) {}
};

/// Why the conditions can never hold, as a sentence, or an empty text.
std::string contradiction(const Conditions& conditions);
/// Whenever `a` holds, `b` does.
bool implies(const Conditions& a, const Conditions& b);
/// `a` and `b` never hold together.
bool disjoint(const Conditions& a, const Conditions& b);

} // namespace kiln::policy
