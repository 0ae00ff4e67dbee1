// SPDX-License-Identifier: Apache-2.0
#include "policy/resolver.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln::policy {

void Resolver::note_backends(std::span<const Attempt> attempts, const Attempt& best,
                             Plan& plan) const {
    for (const Attempt& other : attempts) {
        if (&other == &best || best.choice.fit == Fit::none) {
            continue;
        }
        const std::string why = other.choice.fit == Fit::none
                                    ? other.choice.reason
                                    : fmt::format("it would give {}", other.choice.target->str());
        plan.rules.push_back({origin_of(backends_rule_) == "built-in" ? "" : backends_rule_->name,
                              plan.backend_origin,
                              fmt::format("backend {}", to_string(other.backend)), false, why});
    }
}

void Resolver::note_settings(const Attempt& best, const Flags& flags, Plan& plan) const {
    using Key = Settings::Key;
    for (const Rule* rule : best.rules) {
        for (const Settings::Effect& effect : rule->set.effects) {
            const Rule* winner = rule;
            std::string reason;
            switch (effect.key) {
            case Key::targets:
                winner = best.targets_rule;
                if (query_.arch.written_out &&
                    winner->set.targets->kind == TargetSelection::Kind::prefer) {
                    reason = "the arch is written out";
                }
                break;
            case Key::missing_targets:
                winner = last_with(best.rules, &Settings::keep_missing);
                break;
            case Key::backends:
                winner = backends_rule_;
                break;
            case Key::ptx:
                winner = best.ptx_rule;
                break;
            case Key::time_limit:
                winner = last_with(best.rules, &Settings::time_limit);
                break;
            case Key::memory_limit:
                winner = last_with(best.rules, &Settings::memory_limit);
                break;
            case Key::language:
                if (std::find(flags.left_out.begin(), flags.left_out.end(),
                              &rule->set.options.front()) != flags.left_out.end()) {
                    reason = "a stronger one counts";
                }
                break;
            case Key::remove:
                if (std::all_of(rule->set.remove.begin(), rule->set.remove.end(),
                                [&](const std::string& removal) {
                                    const auto& idle = flags.idle_removals;
                                    return std::find(idle.begin(), idle.end(), removal) !=
                                           idle.end();
                                })) {
                    reason = "no weaker rule sets it";
                }
                break;
            case Key::remap:
            case Key::options:
                break;
            }
            if (winner != rule && reason.empty()) {
                reason = fmt::format("{} counts", winner->origin);
            }
            plan.rules.push_back(
                {rule->name, rule->origin, effect.text, reason.empty(), std::move(reason)});
        }
    }
}

} // namespace kiln::policy
