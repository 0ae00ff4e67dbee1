// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/rule.h"

#include <string>
#include <string_view>
#include <vector>

namespace kiln::policy {

/// A known fault of a compiler: where it strikes, and what the policy does about it. Data, of the
/// layer of the document that lists it.
struct Miscompile {
    enum class Action {
        warn,   ///< the plan carries the warning
        deny,   ///< refused, until a later layer allows `miscompile:NAME`
        options ///< options are added that avoid it, and the plan says why
    };

    Layer layer = Layer::user;
    std::string name;   ///< `miscompile:NAME`
    std::string origin; ///< file:line
    Match match;
    std::string match_text;        ///< as written, in one line
    std::vector<int> optimization; ///< levels of ptxas that it strikes at; empty: all
    std::string symptom;
    Action action = Action::warn;
    std::vector<Option> options;
    std::string confidence; ///< `reported`, `reproduced` or `confirmed`
    std::string source;     ///< where it is written down

    /// Throws Error(policy) with the location.
    static Miscompile parse(const base::YamlNode& node, Layer layer);
    bool strikes(const Facts& facts, int optimization_level) const;
    /// In one sentence.
    std::string text() const;
};

/// The level that ptxas works at with these flags: 3 where none says otherwise, 0 with `-G`.
int optimization_level(const std::vector<Flag>& flags);

} // namespace kiln::policy
