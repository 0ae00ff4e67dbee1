// SPDX-License-Identifier: Apache-2.0
#include "policy/miscompile.h"

#include "policy/flow_text.h"
#include "policy/resolver.h"
#include "policy/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace kiln::policy {
namespace {

constexpr int highest_level = 3;

Miscompile::Action parse_action(const base::YamlNode& node) {
    const std::string text = node.text();
    if (text == "warn") {
        return Miscompile::Action::warn;
    }
    if (text == "deny") {
        return Miscompile::Action::deny;
    }
    if (text == "options") {
        return Miscompile::Action::options;
    }
    throw node.error(fmt::format("`{}` is nothing to do about a miscompile", text),
                     "write `warn`, `deny` or `options`");
}

std::string parse_confidence(const base::YamlNode& node) {
    std::string text = node.text();
    constexpr std::array known{"reported", "reproduced", "confirmed"};
    if (std::find(known.begin(), known.end(), text) == known.end()) {
        throw node.error(fmt::format("`{}` does not say how sure it is", text),
                         "write `reported`, `reproduced` or `confirmed`");
    }
    return text;
}

/// `-O1`, `--opt-level=1`: the level, or nothing.
std::optional<int> level_of(std::string_view option) {
    for (const std::string_view name : {"--opt-level=", "--opt-level", "-O="}) {
        if (option.starts_with(name)) {
            option.remove_prefix(name.size());
            const auto level = integer_of(option);
            return level ? std::optional(static_cast<int>(*level)) : std::nullopt;
        }
    }
    const bool is_level =
        option.size() == 3 && option.starts_with("-O") && option[2] >= '0' && option[2] <= '9';
    return is_level ? std::optional(option[2] - '0') : std::nullopt;
}

} // namespace

int optimization_level(const std::vector<Flag>& flags) {
    int level = highest_level;
    for (const Flag& flag : flags) {
        const std::string_view text = flag.value;
        if (text == "-G" || text == "--device-debug") {
            level = 0;
        }
        for (const std::string_view name : {"-Xptxas=", "--ptxas-options="}) {
            if (text.starts_with(name)) {
                level = level_of(text.substr(name.size())).value_or(level);
            }
        }
    }
    return level;
}

Miscompile Miscompile::parse(const base::YamlNode& node, Layer layer) {
    node.only_keys(
        {"name", "match", "optimization", "symptom", "action", "options", "confidence", "source"});
    Miscompile miscompile;
    miscompile.layer = layer;
    miscompile.origin = node.origin().str();
    miscompile.name = "miscompile:" + node.require("name").text();
    miscompile.match = Match::parse(node.require("match"));
    miscompile.match_text = flow_text(node["match"]);
    for (const base::YamlNode& item : node["optimization"].items()) {
        const auto level = item.integer();
        if (level < 0 || level > highest_level) {
            throw item.error(fmt::format("{} is no level of ptxas", level), "write 0 to 3");
        }
        miscompile.optimization.push_back(static_cast<int>(level));
    }
    miscompile.symptom = node.require("symptom").text();
    miscompile.action = parse_action(node.require("action"));
    miscompile.confidence = parse_confidence(node.require("confidence"));
    miscompile.source = node.require("source").text();
    read_options(node["options"], miscompile.options);
    if (miscompile.options.empty() == (miscompile.action == Action::options)) {
        throw node.error("`options:` go with `action: options`, and with no other");
    }
    return miscompile;
}

bool Miscompile::strikes(const Facts& facts, int level) const {
    return match.holds(facts) &&
           (optimization.empty() ||
            std::find(optimization.begin(), optimization.end(), level) != optimization.end());
}

std::string Miscompile::text() const {
    return fmt::format("known miscompile ({}, {}): {}", confidence, source, symptom);
}

void Resolver::apply_miscompiles(const Attempt& best, Plan& plan) const {
    Facts facts = this->facts();
    facts.backend = best.backend;
    facts.target = best.choice.target;
    const int level = optimization_level(plan.flags);
    for (const Miscompile& one : miscompiles_) {
        if (!facts.target || !one.strikes(facts, level)) {
            continue;
        }
        RuleNote note{one.name, one.origin, one.text(), true, {}};
        Rule as_rule;
        as_rule.layer = one.layer;
        as_rule.name = one.name;
        if (const Rule* allow = allowing_rule(as_rule, best.rules); allow != nullptr) {
            note.applied = false;
            note.reason = fmt::format("allowed at {}: {}", allow->origin, allow->allow_reason);
        } else if (one.action == Miscompile::Action::warn) {
            plan.warnings.push_back({one.text(), one.origin});
        } else if (one.action == Miscompile::Action::options) {
            plan.warnings.push_back({one.text() + "; options are added that avoid it", one.origin});
            for (const Option& option : one.options) {
                for (const auto& spelling : option.for_backend(best.backend).spelling) {
                    plan.flags.push_back({spelling, option.origin});
                }
            }
        } else if (plan.verdict == Verdict::allow) {
            plan.verdict = Verdict::deny;
            plan.reason = fmt::format("{} (rule {})", one.text(), one.name);
            plan.origin = one.origin;
        }
        plan.rules.push_back(std::move(note));
    }
}

} // namespace kiln::policy
