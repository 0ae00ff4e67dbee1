// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/flags.h"
#include "policy/miscompile.h"
#include "policy/rule.h"
#include "policy/target_choice.h"

#include <deque>
#include <span>
#include <string>
#include <vector>

namespace kiln::policy {

/// Answers one Query. Lives for one call.
class Resolver {
  public:
    /// `rules` stand weakest first; all three must outlive the call.
    Resolver(std::span<const Rule> rules, std::span<const Miscompile> miscompiles,
             const Variables& variables, const Query& query);
    Resolution run();

  private:
    /// What one backend can do for the query.
    struct Attempt {
        Backend backend = Backend::nvrtc;
        TargetChoice choice;
        std::vector<const Rule*> rules; ///< all that hold, weakest first
        const Rule* targets_rule = nullptr;
        const Rule* ptx_rule = nullptr;
    };

    Facts facts() const;
    std::vector<const Rule*> holding(const Facts& facts) const;
    Attempt attempt(Backend backend);
    /// The rule in place of `rule` that denies because none of its `only` runs on the capability.
    const Rule* denying(const Rule& rule, const std::string& reason);
    /// Why a rule that waits for the target refuses it, or an empty text.
    std::string target_refusal(Facts facts, const Target& target) const;
    void decide_verdict(const Attempt& best, Plan& plan) const;
    void decide_limits(const Attempt& best, Resolution& resolution) const;
    void apply_miscompiles(const Attempt& best, Plan& plan) const;
    void note_backends(std::span<const Attempt> attempts, const Attempt& best, Plan& plan) const;
    void note_settings(const Attempt& best, const Flags& flags, Plan& plan) const;

    const Query& query_;
    std::span<const Miscompile> miscompiles_;
    const Variables& variables_;
    /// Rules made for this query: the module's own, and those that deny in another's place.
    std::deque<Rule> own_;
    OptionValues values_;
    /// The rules that may hold, the module's among them, weakest first.
    std::vector<const Rule*> sequence_;
    const Rule* backends_rule_ = nullptr;
};

} // namespace kiln::policy
