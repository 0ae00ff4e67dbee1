// SPDX-License-Identifier: Apache-2.0
#include "policy/resolver.h"

#include "base/text.h"
#include "policy/flags.h"
#include "policy/module_rules.h"
#include "policy/verdict.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln::policy {
namespace {

/// The backend's targets, or why it has none.
const std::vector<Target>& targets_of(const ToolkitFacts& toolkit, Backend backend) {
    return backend == Backend::nvrtc ? toolkit.capabilities.nvrtc : toolkit.capabilities.nvcc;
}

/// The causes of all attempts, each once: none of them is the whole truth.
template <typename Attempts>
std::string joined_causes(const Attempts& attempts) {
    std::vector<std::string> causes;
    for (const auto& attempt : attempts) {
        const std::string& cause = attempt.choice.reason;
        if (std::find(causes.begin(), causes.end(), cause) == causes.end()) {
            causes.push_back(cause);
        }
    }
    return base::join(causes, "; ");
}

std::string absence(const ToolkitFacts& toolkit, Backend backend) {
    const std::string& error = backend == Backend::nvrtc ? toolkit.capabilities.nvrtc_error
                                                         : toolkit.capabilities.nvcc_error;
    return error.empty() ? fmt::format("CUDA {} at hand has no {}", toolkit.version.short_str(),
                                       display_name(backend))
                         : fmt::format("{} cannot be used: {}", display_name(backend), error);
}

} // namespace

Resolver::Resolver(std::span<const Rule> rules, const Query& query)
    : query_(query), of_module_(module_rules(query.instance)) {
    const Facts facts = this->facts();
    const auto take = [&](const Rule& rule) {
        // What hangs on the request alone is settled here, and most rules fall away.
        if (rule.stage != Stage::request || rule.holds(facts)) {
            sequence_.push_back(&rule);
        }
    };
    const Layer layer = layer_of(*query.instance.module);
    const auto stronger = std::find_if(rules.begin(), rules.end(),
                                       [layer](const Rule& rule) { return rule.layer > layer; });
    std::for_each(rules.begin(), stronger, take);
    std::for_each(of_module_.begin(), of_module_.end(), take);
    std::for_each(stronger, rules.end(), take);
}

Facts Resolver::facts() const {
    return {*query_.instance.module, query_.arch.target.capability, query_.toolkit.version, {}, {}};
}

std::vector<const Rule*> Resolver::holding(const Facts& facts) const {
    std::vector<const Rule*> rules;
    for (const Rule* rule : sequence_) {
        if (rule->stage == Stage::request || rule->holds(facts)) {
            rules.push_back(rule);
        }
    }
    return rules;
}

std::string Resolver::target_refusal(Facts facts, const Target& target) const {
    facts.target = target;
    for (const Rule* rule : sequence_) {
        if (rule->stage == Stage::target && !rule->deny.empty() && rule->holds(facts) &&
            allowing_rule(*rule, holding(facts)) == nullptr) {
            return fmt::format("{} is refused by {} ({})", target.str(), rule->name, rule->origin);
        }
    }
    return {};
}

Resolver::Attempt Resolver::attempt(Backend backend) const {
    Attempt attempt;
    attempt.backend = backend;
    Facts facts = this->facts();
    facts.backend = backend;
    attempt.rules = holding(facts);
    attempt.targets_rule = last_with(attempt.rules, &Settings::targets);
    attempt.ptx_rule = last_with(attempt.rules, &Settings::ptx);
    const auto& available = targets_of(query_.toolkit, backend);
    if (available.empty()) {
        attempt.choice.reason = absence(query_.toolkit, backend);
        return attempt;
    }
    // What holds where no rule says anything, which only a built-in layer of one's own brings
    // about.
    const std::vector<catalog::TargetForm> plain{{Suffix::none, {}}};
    attempt.choice = choose_target(
        {query_.arch, attempt.targets_rule == nullptr ? plain : *attempt.targets_rule->set.targets,
         available, query_.toolkit.version,
         attempt.ptx_rule == nullptr ? PtxUse::never : *attempt.ptx_rule->set.ptx,
         [&](const Target& target) { return target_refusal(facts, target); }});
    if (attempt.choice.target) {
        facts.target = attempt.choice.target;
        attempt.rules = holding(facts);
    }
    if (std::string refused = refused_option(attempt.rules, backend); !refused.empty()) {
        attempt.choice = {std::nullopt, Fit::none, std::move(refused)};
    }
    return attempt;
}

void Resolver::decide_verdict(const Attempt& best, Plan& plan) const {
    const Verdicts verdicts = weigh(best.rules);
    plan.rules.insert(plan.rules.end(), verdicts.notes.begin(), verdicts.notes.end());
    if (verdicts.deny != nullptr) {
        plan.verdict = Verdict::deny;
        plan.reason = fmt::format("{} (rule {})", verdicts.deny->deny, verdicts.deny->name);
        plan.origin = verdicts.deny->origin;
    } else if (best.choice.fit == Fit::none) {
        plan.verdict = Verdict::unsupported;
        plan.reason = best.choice.reason;
        plan.origin = plan.target_origin;
    } else if (verdicts.allow != nullptr) {
        plan.reason = verdicts.allow_reason;
        plan.origin = verdicts.allow->origin;
    } else {
        plan.reason = "no rule denies it";
        plan.origin = "built-in";
    }
}

Resolution Resolver::run() {
    Resolution resolution;
    Plan& plan = resolution.plan;
    plan.module = query_.instance.module->name;
    plan.instance = query_.instance.name();
    plan.capability = query_.arch.target.capability;
    plan.toolkit = query_.toolkit.version.str();

    backends_rule_ = last_with(holding(facts()), &Settings::backends);
    plan.backend_origin = origin_of(backends_rule_);
    const std::vector<Backend> preference = backends_rule_ == nullptr
                                                ? std::vector{Backend::nvrtc, Backend::nvcc}
                                                : *backends_rule_->set.backends;
    std::vector<Attempt> attempts;
    for (const Backend backend : preference) {
        attempts.push_back(attempt(backend));
        if (attempts.back().choice.fit == Fit::exact) {
            break;
        }
    }
    Attempt& best =
        *std::min_element(attempts.begin(), attempts.end(), [](const Attempt& a, const Attempt& b) {
            return a.choice.fit < b.choice.fit;
        });
    if (best.choice.fit == Fit::none) {
        best.choice.reason = joined_causes(attempts);
    }

    plan.backend = best.backend;
    plan.target = best.choice.target;
    plan.target_reason = best.choice.reason;
    plan.target_origin = query_.arch.written_out       ? "request"
                         : best.choice.fit == Fit::ptx ? origin_of(best.ptx_rule)
                                                       : origin_of(best.targets_rule);
    plan.runs_on_device =
        plan.target.has_value() && runs_on(*plan.target, query_.device.value_or(plan.capability));
    decide_verdict(best, plan);
    Flags flags = assemble_flags(best.rules, best.backend);
    plan.flags = std::move(flags.flags);
    note_settings(best, flags.left_out, plan);
    note_backends(attempts, best, plan);
    plan.rules.insert(plan.rules.end(), std::make_move_iterator(flags.notes.begin()),
                      std::make_move_iterator(flags.notes.end()));

    const bool always = best.ptx_rule != nullptr && *best.ptx_rule->set.ptx == PtxUse::always;
    resolution.with_ptx = query_.arch.with_ptx || always || best.choice.fit == Fit::ptx;
    if (const Rule* rule = last_with(best.rules, &Settings::time_limit)) {
        resolution.time_limit = *rule->set.time_limit;
    }
    return resolution;
}

} // namespace kiln::policy
