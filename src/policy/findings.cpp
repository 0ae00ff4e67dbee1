// SPDX-License-Identifier: Apache-2.0
#include "policy/findings.h"

#include "policy/checked_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <tuple>
#include <utility>

namespace kiln::policy {
namespace {

/// An Error of loading; its message begins with its place, which a finding has apart.
Finding finding_of(const Error& error, const Document& document) {
    std::string location(error.context("location"));
    std::string message = error.message();
    if (location.empty()) {
        location = document.path.string();
    }
    if (const std::string prefix = location + ": "; message.starts_with(prefix)) {
        message.erase(0, prefix.size());
    }
    return {std::move(location), {}, std::move(message), error.hint()};
}

/// By document, then by line and column; what has no place comes last.
void sort(std::vector<Finding>& findings, const CheckedPolicy& policy) {
    const auto key = [&policy](const Finding& finding) {
        std::size_t document = 0;
        for (; document < policy.documents.size(); ++document) {
            const std::string prefix = policy.documents[document].root.origin().file + ":";
            if (finding.location.starts_with(prefix)) {
                int line = 0;
                int column = 0;
                std::sscanf(finding.location.c_str() + prefix.size(), "%d:%d", &line, &column);
                return std::tuple(document, line, column);
            }
        }
        return std::tuple(document, 0, 0);
    };
    std::vector<std::pair<decltype(key(findings.front())), Finding>> keyed;
    for (Finding& finding : findings) {
        const auto place = key(finding);
        keyed.emplace_back(place, std::move(finding));
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    findings.clear();
    for (auto& [place, finding] : keyed) {
        findings.push_back(std::move(finding));
    }
}

} // namespace

std::string CheckedRule::title() const {
    return rule->name.empty() ? fmt::format("the rule at {}", rule->origin)
                              : fmt::format("`{}` ({})", rule->name, rule->origin);
}

std::string CheckedRule::title_beside(const CheckedRule& other) const {
    if (node.origin().file != other.node.origin().file) {
        return title();
    }
    const int line = node.origin().line;
    return rule->name.empty() ? fmt::format("the rule at line {}", line)
                              : fmt::format("`{}` (line {})", rule->name, line);
}

Finding finding_at(const base::YamlNode& node, const std::string& rule, std::string message,
                   std::string hint) {
    return {node.origin().with_column(), rule, std::move(message), std::move(hint)};
}

Findings check(std::span<const Document> documents, const catalog::Catalog* catalog,
               std::span<const std::string> experiments) {
    Findings findings;
    CheckedPolicy policy;
    for (const Document& document : in_layers(documents)) {
        try {
            policy.documents.emplace_back(document);
        } catch (const Error& error) {
            policy.complete = false;
            findings.errors.push_back(finding_of(error, document));
        }
    }
    for (const ReadDocument& document : policy.documents) {
        const auto nodes = document.root["rules"].items();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            policy.rules.push_back({&document.rules[i], nodes[i], Conditions(document.rules[i])});
        }
        findings.rules += document.rules.size() + document.miscompiles.size();
    }
    const std::size_t unread = findings.errors.size();
    find_contradictions(policy, findings);
    find_shadowed(policy, findings);
    if (catalog != nullptr) {
        find_strangers(policy, *catalog, findings);
        find_conflicts(policy, *catalog, findings);
    }
    // What one document names may stand in another, so all must have been read.
    if (policy.complete) {
        find_idle_names(policy, catalog, experiments, findings);
        find_unused(policy, findings);
    }
    std::vector<Finding> rest(
        std::make_move_iterator(findings.errors.begin() + static_cast<std::ptrdiff_t>(unread)),
        std::make_move_iterator(findings.errors.end()));
    findings.errors.resize(unread);
    sort(rest, policy);
    std::move(rest.begin(), rest.end(), std::back_inserter(findings.errors));
    sort(findings.warnings, policy);
    return findings;
}

void find_contradictions(const CheckedPolicy& policy, Findings& findings) {
    for (const CheckedRule& checked : policy.rules) {
        if (std::string why = contradiction(checked.conditions); !why.empty()) {
            findings.errors.push_back(
                finding_at(checked.node, checked.rule->name, "this rule can never hold: " + why));
        }
        const Match& match = checked.rule->match;
        if (match.any_arch && checked.node["match"]["any_arch"].entries().empty()) {
            findings.warnings.push_back(
                finding_at(checked.node["match"]["any_arch"], checked.rule->name,
                           "this `any_arch` has no conditions, so it holds always"));
        }
    }
    for (const ReadDocument& document : policy.documents) {
        const auto nodes = document.root["miscompiles"].items();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Miscompile& one = document.miscompiles[i];
            if (std::string why = contradiction(Conditions(one.match, std::nullopt));
                !why.empty()) {
                findings.errors.push_back(
                    finding_at(nodes[i], one.name, "this miscompile can never strike: " + why));
            }
        }
    }
}

void find_unused(const CheckedPolicy& policy, Findings& findings) {
    std::string texts; // every text that can name a variable
    for (const ReadDocument& document : policy.documents) {
        for (const auto& [name, value] : document.variables) {
            texts += value + '\n';
        }
        for (const Miscompile& one : document.miscompiles) {
            for (const VariableCondition& condition : one.match.variables) {
                texts += "${" + condition.name + "}\n";
            }
            for (const Option& option : one.options) {
                texts += option.written + '\n';
            }
        }
    }
    for (const CheckedRule& checked : policy.rules) {
        for (const Option& option : checked.rule->set.options) {
            if (option.is_template) {
                texts += option.written + '\n';
            }
        }
        for (const auto& match : {std::optional(checked.rule->match), checked.rule->unless}) {
            for (const auto& condition :
                 match ? match->variables : std::vector<VariableCondition>{}) {
                texts += "${" + condition.name + "}\n";
            }
        }
    }
    const auto is_named = [&texts](const std::string& name) {
        return texts.find("${" + name + "}") != std::string::npos ||
               texts.find("${" + name + ":-") != std::string::npos;
    };
    for (const ReadDocument& document : policy.documents) {
        std::vector<std::string> used;
        const auto add = [&used](const base::YamlNode& node) {
            for (std::string& name : node["use"].texts()) {
                used.push_back(std::move(name));
            }
        };
        for (const base::YamlNode& rule : document.root["rules"].items()) {
            add(rule["set"]);
        }
        for (const auto& set : document.root["sets"].entries()) {
            add(*set.value);
        }
        for (const auto& set : document.root["sets"].entries()) {
            if (std::find(used.begin(), used.end(), set.key) == used.end()) {
                findings.warnings.push_back({set.key_origin.with_column(),
                                             {},
                                             fmt::format("no rule uses the set `{}`", set.key),
                                             {}});
            }
        }
        for (const auto& variable : document.root["variables"].entries()) {
            if (!is_named(variable.key)) {
                findings.warnings.push_back(
                    {variable.key_origin.with_column(),
                     {},
                     fmt::format("no rule uses the variable `{}`", variable.key),
                     {}});
            }
        }
    }
}

} // namespace kiln::policy
