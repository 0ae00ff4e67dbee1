// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/match.h"
#include "policy/policy.h"
#include "policy/settings.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::policy {

/// One rule, ready to be held against Facts. Immutable after loading.
struct Rule {
    Layer layer = Layer::user;
    std::string name;
    std::string origin; ///< file:line
    Match match;
    std::optional<Match> unless;
    Settings set;
    std::string deny;         ///< the reason, or empty
    std::string experimental; ///< the reason of a deny that an opt-in opens, or empty
    std::string warn;         ///< a text that goes with every plan, or empty
    /// Demands on proof: `probe: ok`, `evidence: correct`, `faster_than: fallback`; `none` lifts.
    std::map<std::string, std::string> require;
    std::vector<std::string> allow; ///< globs over names of denies
    std::string allow_reason;
    Stage stage = Stage::request; ///< what its answer hangs on
    std::string match_text;       ///< as written, in one line

    /// Throws Error(policy) with the location.
    static Rule parse(const base::YamlNode& node, Layer layer, const OptionSets& sets);
    /// False while something that the answer hangs on is not known yet.
    bool holds(const Facts& facts) const;
    bool allows(std::string_view deny_name) const noexcept;
    /// It denies, for good or until an opt-in.
    bool refuses() const noexcept { return !deny.empty() || !experimental.empty(); }
    const std::string& refusal() const noexcept { return deny.empty() ? experimental : deny; }
};

/// The last of `rules`, which stand weakest first, that has a setting; or null.
template <typename T>
const Rule* last_with(const std::vector<const Rule*>& rules,
                      std::optional<T> Settings::*setting) noexcept {
    for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
        if (((*rule)->set.*setting).has_value()) {
            return *rule;
        }
    }
    return nullptr;
}

/// The origin of what a rule decided, or of what holds without one.
inline std::string origin_of(const Rule* rule) {
    return rule == nullptr ? "built-in" : rule->origin;
}

} // namespace kiln::policy
