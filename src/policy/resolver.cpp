// SPDX-License-Identifier: Apache-2.0
#include "policy/resolver.h"

#include "base/text.h"
#include "policy/flags.h"
#include "policy/module_rules.h"
#include "policy/templates.h"
#include "policy/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

/// Why a cubin with these flags is not one that loads as it is, or an empty text.
std::string link_step(const std::vector<Flag>& flags) {
    for (const Flag& flag : flags) {
        if (flag.value == "-rdc=true" || flag.value == "--relocatable-device-code=true") {
            return fmt::format("{} ({}) asks for a link step, and Kiln makes cubins that load as "
                               "they are",
                               flag.value, flag.origin);
        }
    }
    return {};
}

} // namespace

Resolver::Resolver(std::span<const Rule> rules, std::span<const Miscompile> miscompiles,
                   const Variables& variables, const Query& query)
    : query_(query), miscompiles_(miscompiles), variables_(variables) {
    const Facts facts = this->facts();
    const auto take = [&](const Rule& rule) {
        // What hangs on the request alone is settled here, and most rules fall away.
        if (rule.stage == Stage::request && !rule.holds(facts)) {
            return;
        }
        values_.add(rule, facts);
        sequence_.push_back(&rule);
    };
    const Layer layer = layer_of(*query.instance.module);
    const auto stronger = std::find_if(rules.begin(), rules.end(),
                                       [layer](const Rule& rule) { return rule.layer > layer; });
    std::for_each(rules.begin(), stronger, take);
    for (Rule& rule : module_rules(query.instance)) {
        if (rule.stage != Stage::request || rule.holds(facts)) {
            own_.push_back(std::move(rule));
            sequence_.push_back(&own_.back());
        }
    }
    std::for_each(stronger, rules.end(), take);
}

Facts Resolver::facts() const {
    return {query_.instance,     query_.arch, query_.archs, query_.toolkit.version,
            query_.surroundings, variables_,  {},           {}};
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
        if (rule->stage == Stage::target && rule->refuses() && rule->holds(facts) &&
            allowing_rule(*rule, holding(facts)) == nullptr) {
            return fmt::format("{} is refused by {} ({})", target.str(), rule->name, rule->origin);
        }
    }
    return {};
}

const Rule* Resolver::denying(const Rule& rule, const std::string& reason) {
    own_.push_back(rule);
    own_.back().deny = reason;
    return &own_.back();
}

Resolver::Attempt Resolver::attempt(Backend backend) {
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
    const TargetSelection plain{TargetSelection::Kind::prefer, {{Suffix::none, {}}}};
    const TargetSelection& selection =
        attempt.targets_rule == nullptr ? plain : *attempt.targets_rule->set.targets;
    const Rule* missing_rule = last_with(attempt.rules, &Settings::keep_missing);
    std::vector<std::pair<Target, Target>> remap;
    for (const Rule* rule : attempt.rules) {
        remap.insert(remap.end(), rule->set.remap.begin(), rule->set.remap.end());
    }
    attempt.choice =
        choose_target({query_.arch, selection, available, query_.toolkit.version,
                       attempt.ptx_rule == nullptr ? PtxUse::never : *attempt.ptx_rule->set.ptx,
                       missing_rule != nullptr && *missing_rule->set.keep_missing, remap,
                       [&](const Target& target) { return target_refusal(facts, target); }});
    if (attempt.choice.target) {
        facts.target = attempt.choice.target;
        attempt.rules = holding(facts);
        const bool runs = runs_on(*attempt.choice.target, facts.capability());
        if (selection.kind == TargetSelection::Kind::only && !runs) {
            const auto at =
                std::find(attempt.rules.begin(), attempt.rules.end(), attempt.targets_rule);
            *at = denying(*attempt.targets_rule,
                          fmt::format("it is compiled for {} only, which does not run on {}",
                                      catalog::str(selection.forms), facts.capability().str()));
            attempt.targets_rule = *at;
        }
    }
    if (std::string refused = refused_option(attempt.rules, values_, backend); !refused.empty()) {
        attempt.choice = {std::nullopt, Fit::none, std::move(refused)};
    }
    return attempt;
}

void Resolver::decide_verdict(const Attempt& best, Plan& plan) const {
    const Verdicts verdicts = weigh(best.rules, query_.surroundings.experiments);
    plan.rules.insert(plan.rules.end(), verdicts.notes.begin(), verdicts.notes.end());
    plan.warnings.insert(plan.warnings.end(), verdicts.warnings.begin(), verdicts.warnings.end());
    plan.requires_ = verdicts.demands;
    if (verdicts.deny != nullptr) {
        plan.verdict = Verdict::deny;
        plan.reason = fmt::format("{} (rule {})", verdicts.deny_reason, verdicts.deny->name);
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

void Resolver::decide_limits(const Attempt& best, Resolution& resolution) const {
    const bool always = best.ptx_rule != nullptr && *best.ptx_rule->set.ptx == PtxUse::always;
    resolution.with_ptx = query_.arch.with_ptx || always || best.choice.fit == Fit::ptx;
    if (const Rule* rule = last_with(best.rules, &Settings::time_limit)) {
        resolution.time_limit = *rule->set.time_limit;
    }
    if (const Rule* rule = last_with(best.rules, &Settings::memory_limit)) {
        resolution.memory_limit = *rule->set.memory_limit;
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
    plan.runs_on_device = plan.target.has_value() && runs_on(*plan.target, plan.capability);
    plan.targets = best.choice.fixed;
    if (plan.targets.empty() && plan.target) {
        plan.targets.push_back(*plan.target);
    }
    std::sort(plan.targets.begin(), plan.targets.end());
    plan.obstacle = best.choice.missing;
    decide_verdict(best, plan);
    Flags flags = assemble_flags(best.rules, values_, best.backend, query_.with_notes);
    plan.flags = std::move(flags.flags);
    if (plan.obstacle.empty()) {
        plan.obstacle = link_step(plan.flags);
    }
    if (plan.obstacle.empty() && plan.target && plan.target->kind == TargetKind::virtual_) {
        plan.obstacle = fmt::format("{} is PTX alone, and Kiln keeps and loads cubins: ask for a "
                                    "real target, with PTX beside it (`{}+PTX`)",
                                    plan.target->str(), plan.target->capability.str());
    }
    resolution.include_roots = std::move(flags.include_roots);
    apply_miscompiles(best, plan);
    if (query_.with_notes) {
        note_settings(best, flags, plan);
        note_backends(attempts, best, plan);
        plan.rules.insert(plan.rules.end(), std::make_move_iterator(flags.notes.begin()),
                          std::make_move_iterator(flags.notes.end()));
    } else {
        plan.rules.clear();
    }
    decide_limits(best, resolution);
    return resolution;
}

} // namespace kiln::policy
