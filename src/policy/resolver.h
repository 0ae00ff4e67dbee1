// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/rule.h"
#include "policy/target_choice.h"

#include <span>
#include <string>
#include <vector>

namespace kiln::policy {

/// Answers one Query. Lives for one call.
class Resolver {
  public:
    /// `rules` stand weakest first.
    Resolver(std::span<const Rule> rules, const Query& query);
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
    Attempt attempt(Backend backend) const;
    /// Why a rule that waits for the target refuses it, or an empty text.
    std::string target_refusal(Facts facts, const Target& target) const;
    void decide_verdict(const Attempt& best, Plan& plan) const;
    void note_backends(std::span<const Attempt> attempts, const Attempt& best, Plan& plan) const;
    void note_settings(const Attempt& best, std::span<const Option* const> left_out,
                       Plan& plan) const;

    const Query& query_;
    std::vector<Rule> of_module_;
    /// The rules that may hold, the module's among them, weakest first.
    std::vector<const Rule*> sequence_;
    const Rule* backends_rule_ = nullptr;
};

} // namespace kiln::policy
