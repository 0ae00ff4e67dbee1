// SPDX-License-Identifier: Apache-2.0
#include "policy/policy.h"

#include "base/text.h"
#include "policy/miscompile.h"
#include "policy/resolver.h"
#include "policy/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kiln::embedded {
extern const std::string_view policy_yaml;
}

namespace kiln::policy {
namespace {

/// Names are unique within a document.
void check_unique(std::map<std::string, std::string>& names, const base::YamlNode& node,
                  const std::string& name, const std::string& origin) {
    if (name.empty()) {
        return;
    }
    const auto [other, first] = names.emplace(name, origin);
    if (!first) {
        throw node["name"].error(fmt::format("there is a rule `{}` already", name),
                                 fmt::format("the other is at {}", other->second));
    }
}

void read_variables(const base::YamlNode& node, Variables& variables) {
    for (const auto& entry : node.entries()) {
        variables.insert_or_assign(entry.key, entry.value->text());
    }
}

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

    void read(const Document& document);
};

void Policy::State::read(const Document& document) {
    const std::string name = document.path.string();
    const base::YamlNode root = document.text
                                    ? base::YamlNode::parse(*document.text, name, ErrorCode::policy)
                                    : base::YamlNode::load(document.path, ErrorCode::policy);
    root.only_keys({"policy", "variables", "sets", "rules", "miscompiles"});
    const base::YamlNode version = root.require("policy");
    if (version.text() != "1") {
        throw version.error(
            fmt::format("policy version `{}` is not one that this Kiln reads", version.text()),
            "write `policy: 1`");
    }
    read_variables(root["variables"], variables);
    const OptionSets sets = parse_option_sets(root["sets"]);
    std::map<std::string, std::string> names;
    for (const base::YamlNode& item : root["rules"].items()) {
        rules.push_back(Rule::parse(item, document.layer, sets));
        check_unique(names, item, rules.back().name, rules.back().origin);
    }
    for (const base::YamlNode& item : root["miscompiles"].items()) {
        miscompiles.push_back(Miscompile::parse(item, document.layer));
        check_unique(names, item, miscompiles.back().name, miscompiles.back().origin);
    }
}

Policy::Policy(std::unique_ptr<State> state) : state_(std::move(state)) {}
Policy::~Policy() = default;
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(Policy&&) noexcept = default;

Policy Policy::load(std::span<const Document> documents) {
    std::vector<Document> layered(documents.begin(), documents.end());
    const auto weaker = [](const Document& a, const Document& b) { return a.layer < b.layer; };
    std::stable_sort(layered.begin(), layered.end(), weaker);
    if (layered.empty() || layered.front().layer != Layer::built_in) {
        layered.insert(layered.begin(),
                       {Layer::built_in, "built-in/policy.yaml", std::string(built_in_policy())});
    }
    auto state = std::make_unique<State>();
    for (const Document& document : layered) {
        state->read(document);
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
