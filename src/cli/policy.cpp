// SPDX-License-Identifier: Apache-2.0
#include "cli/json_output.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "service/prepared.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace kiln::cli {
namespace {

ExitCode check(Session& session) {
    const auto rules = session.state().policy().rules();
    if (session.options.json)
        print_json({{"rules", rules.size()}, {"errors", Json::array()}});
    else
        fmt::print("{} rules, no errors\n", rules.size());
    return ExitCode::done;
}

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

/// Every instance that is refused for the archs, with the rule; one line for a module whose
/// instances are all refused for the same reason.
ExitCode gates(Session& session) {
    const auto& state = session.state();
    const auto archs = session.archs();
    Json list = Json::array();
    Table table{{{{"module"}, {"arch"}, {"verdict"}, {"rule"}, {"reason"}}}};
    for (const auto& request : session.service().requests()) {
        const auto asked = service::ask(state, request);
        for (const auto& arch : archs) {
            const auto plan = service::resolve(state, asked, arch, archs).plan;
            if (plan.verdict == Verdict::allow)
                continue;
            const std::string verdict(kiln::to_string(plan.verdict));
            list.push_back({{"module", plan.module},
                            {"instance", plan.instance},
                            {"arch", arch.str()},
                            {"verdict", verdict},
                            {"origin", plan.origin},
                            {"reason", plan.reason}});
            table.rows.push_back({{plan.instance, Style::strong},
                                  {arch.str()},
                                  {verdict, Style::bad},
                                  {plan.origin},
                                  {plan.reason}});
        }
    }
    if (session.options.json)
        print_json({{"gates", std::move(list)}});
    else if (table.rows.size() == 1)
        fmt::print("nothing is refused\n");
    else
        fmt::print("{}", table.str());
    return ExitCode::done;
}

} // namespace

void add_policy(CLI::App& app, Session& session) {
    auto* verb = app.add_subcommand("policy", "The merged rules, and what they refuse");
    verb->require_subcommand(1);
    const auto add = [&](const char* name, const char* description, auto run) {
        verb->add_subcommand(name, description)->callback([&session, run] {
            session.action = [&session, run] { return run(session); };
        });
    };
    add("check", "Reads every layer; errors carry file:line:column", check);
    add("show", "The merged rules with their origin", show);
    add("gates", "Every instance refused for --arch, with rule and reason", gates);
}

} // namespace kiln::cli
