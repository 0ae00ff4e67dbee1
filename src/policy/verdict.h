// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/rule.h"

#include <kiln/plan.h>

#include <span>
#include <string>
#include <vector>

namespace kiln::policy {

/// What the denies and allows of the rules that hold come to.
struct Verdicts {
    const Rule* deny = nullptr;       ///< the first that nothing allows: the first cause
    std::string deny_reason;          ///< its reason, and how an experiment is opted in to
    const Rule* allow = nullptr;      ///< the last that opened a deny
    std::string allow_reason;         ///< its reason, and what it opened
    std::vector<Warning> warnings;    ///< of rules that warn, and of experiments that are on
    std::vector<std::string> demands; ///< `evidence: correct`
    std::vector<RuleNote> notes;
};

/// The rule that opens a deny: of a later layer, naming it; or null. `rules` hold.
const Rule* allowing_rule(const Rule& deny, std::span<const Rule* const> rules) noexcept;

/// `rules` stand weakest first, and all hold; `experiments` are the globs that were opted in to.
Verdicts weigh(std::span<const Rule* const> rules, std::span<const std::string> experiments);

} // namespace kiln::policy
