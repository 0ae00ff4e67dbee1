// SPDX-License-Identifier: Apache-2.0
#include "policy/policy.h"

#include "base/text.h"
#include "policy/document.h"
#include "policy/miscompile.h"
#include "policy/resolver.h"
#include "policy/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace kiln::embedded {
extern const std::string_view policy_yaml;
}

namespace kiln::policy {
namespace {

std::string effect_text(const Rule& rule) {
    std::vector<std::string> parts;
    for (const Settings::Effect& effect : rule.set.effects) {
        parts.push_back(effect.text);
    }
    if (!rule.deny.empty()) {
        parts.push_back("deny: " + rule.deny);
    }
    if (!rule.experimental.empty()) {
        parts.push_back("experimental: " + rule.experimental);
    }
    if (!rule.warn.empty()) {
        parts.push_back("warn: " + rule.warn);
    }
    for (const auto& [demand, value] : rule.require) {
        parts.push_back(fmt::format("require {}: {}", demand, value));
    }
    if (!rule.allow.empty()) {
        parts.push_back(
            fmt::format("allow {}: {}", base::join(rule.allow, ", "), rule.allow_reason));
    }
    return base::join(parts, "; ");
}

} // namespace

struct Policy::State {
    std::vector<Rule> rules;             ///< weakest first
    std::vector<Miscompile> miscompiles; ///< weakest first
    Variables variables;                 ///< of a name, the strongest document's
};

Policy::Policy(std::unique_ptr<State> state) : state_(std::move(state)) {}
Policy::~Policy() = default;
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(Policy&&) noexcept = default;

Policy Policy::load(std::span<const Document> documents) {
    auto state = std::make_unique<State>();
    const auto append = [](auto& all, auto& more) {
        all.reserve(all.size() + more.size());
        std::move(more.begin(), more.end(), std::back_inserter(all));
    };
    for (const Document& document : in_layers(documents)) {
        ReadDocument read(document);
        append(state->rules, read.rules);
        append(state->miscompiles, read.miscompiles);
        for (auto& [name, value] : read.variables) {
            state->variables.insert_or_assign(name, std::move(value));
        }
    }
    return Policy(std::move(state));
}

Resolution Policy::resolve(const Query& query) const {
    return Resolver(state_->rules, state_->miscompiles, state_->variables, query).run();
}

std::vector<Policy::RuleText> Policy::rules() const {
    std::vector<RuleText> texts;
    for (const Rule& rule : state_->rules) {
        texts.push_back({rule.layer, rule.name, rule.origin, rule.match_text, effect_text(rule)});
    }
    for (const Miscompile& one : state_->miscompiles) {
        texts.push_back({one.layer, one.name, one.origin, one.match_text, one.text()});
    }
    return texts;
}

std::string_view built_in_policy() noexcept {
    return embedded::policy_yaml;
}

std::string_view to_string(Layer layer) noexcept {
    switch (layer) {
    case Layer::built_in:
        return "built-in";
    case Layer::library:
        return "library";
    case Layer::system:
        return "system";
    case Layer::user:
        return "user";
    case Layer::project:
        return "project";
    case Layer::environment:
        return "environment";
    case Layer::command_line:
        return "command line";
    }
    return "unknown";
}

} // namespace kiln::policy
