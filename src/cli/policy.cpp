// SPDX-License-Identifier: Apache-2.0
#include "cli/json_output.h"
#include "cli/policy_verbs.h"
#include "cli/session.h"
#include "cli/terminal.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace kiln::cli {
namespace {

ExitCode show(Session& session) {
    Json list = Json::array();
    Table table{{{{"layer"}, {"origin"}, {"name"}, {"match"}, {"effect"}}}};
    for (const auto& rule : session.state().policy().rules()) {
        const std::string layer(policy::to_string(rule.layer));
        list.push_back({{"layer", layer},
                        {"name", rule.name},
                        {"origin", rule.origin},
                        {"match", rule.match},
                        {"effect", rule.effect}});
        table.rows.push_back({{layer}, {rule.origin}, {rule.name}, {rule.match}, {rule.effect}});
    }
    if (session.options.json)
        print_json({{"rules", std::move(list)}});
    else
        fmt::print("{}", table.str());
    return ExitCode::done;
}

} // namespace

void add_policy(CLI::App& app, Session& session) {
    auto* verb = app.add_subcommand("policy", "The merged rules, and what they refuse");
    verb->require_subcommand(1);
    const auto add = [&](const char* name, const char* description, auto run) {
        auto* second = verb->add_subcommand(name, description);
        second->callback(
            [&session, run] { session.action = [&session, run] { return run(session); }; });
        return second;
    };
    add("check", "Errors and doubtful rules of every layer, with file:line:column", check_policy);
    add("show", "The merged rules with their origin", show);
    add("gates", "Every module refused for --arch, with rule and reason", list_gates);
    auto sides = std::make_shared<PolicySides>();
    auto* diff = add("diff", "The plans that change between two policies",
                     [sides](Session& one) { return diff_policies(one, *sides); });
    diff->add_option("BEFORE", sides->before, "A policy file, `shipped` or `effective`")
        ->capture_default_str();
    diff->add_option("AFTER", sides->after, "The same")->capture_default_str();
}

} // namespace kiln::cli
