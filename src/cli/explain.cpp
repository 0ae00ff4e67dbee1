// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "cli/json_output.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "service/prepared.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace kiln::cli {
namespace {

struct Arguments {
    std::string module;
    std::vector<std::string> parameters;
};

void print_plan(const Plan& plan) {
    const auto line = [](std::string_view label, const std::string& value,
                         const std::string& origin) {
        fmt::print("  {:<10}{}{}\n", label, value,
                   origin.empty() ? "" : styled("  [" + origin + "]", Style::faint));
    };
    const auto style = plan.verdict == Verdict::allow ? Style::good : Style::bad;
    fmt::print("{} for {}\n", styled(plan.instance, Style::strong), plan.capability.str());
    line("verdict", styled(kiln::to_string(plan.verdict), style), plan.origin);
    if (!plan.reason.empty())
        line("reason", plan.reason, "");
    line("backend", std::string(kiln::to_string(plan.backend)), plan.backend_origin);
    if (plan.target) {
        line("target", plan.target->str(), plan.target_origin);
        line("", plan.target_reason, "");
    }
    if (plan.targets.size() > 1) {
        std::vector<std::string> all;
        for (const auto& target : plan.targets)
            all.push_back(target.str());
        line("targets", base::join(all, ", "), plan.target_origin);
    }
    line("toolkit", plan.toolkit + (plan.toolkit_on_paper ? " (on paper)" : ""), "");
    if (plan.target && !plan.runs_on_device)
        line("", "the target does not run on this capability: a load will refuse", "");
    if (plan.verdict == Verdict::allow && !plan.obstacle.empty())
        line("", "it cannot be compiled: " + plan.obstacle, "");
    for (const auto& warning : plan.warnings)
        line("warning", styled(warning.text, Style::warning), warning.origin);
    for (const auto& flag : plan.flags)
        line("flag", flag.value, flag.origin);
    for (const auto& demand : plan.requires_)
        line("requires", demand, "");
    for (const auto& rule : plan.rules) {
        line("rule",
             fmt::format("{}{}: {}{}", rule.applied ? "" : "(lost) ",
                         rule.name.empty() ? "unnamed" : rule.name, rule.effect,
                         rule.reason.empty() ? "" : "; " + rule.reason),
             rule.origin);
    }
}

/// A name that is a file on disk and no module is a lone source.
Request request_for(const Service::State& state, const Arguments& arguments) {
    Request request;
    request.parameters = parse_pairs(arguments.parameters, "--set");
    std::error_code error;
    for (const auto& module : state.catalog().modules()) {
        if (module.name == arguments.module) {
            request.module = arguments.module;
            return request;
        }
    }
    if (std::filesystem::is_regular_file(arguments.module, error))
        request.source = arguments.module;
    else
        request.module = arguments.module;
    return request;
}

ExitCode explain(Session& session, const Arguments& arguments) {
    const auto& state = session.state();
    const auto asked = service::ask(state, request_for(state, arguments));
    const auto archs = session.archs();
    std::vector<Plan> plans;
    for (const auto& arch : archs)
        plans.push_back(service::resolve(state, asked, arch, archs, service::Notes::with).plan);
    if (!session.options.json) {
        for (const auto& plan : plans)
            print_plan(plan);
        return ExitCode::done;
    }
    print_json(plans.size() == 1 ? to_json(plans.front()) : to_json(std::span<const Plan>(plans)));
    return ExitCode::done;
}

} // namespace

void add_explain(CLI::App& app, Session& session) {
    auto* verb = app.add_subcommand("explain", "The plan of a module for an arch, with the origin "
                                               "of each decision; no compiler runs");
    auto arguments = std::make_shared<Arguments>();
    verb->add_option("module", arguments->module, "Module, or source file")->required();
    verb->add_option("--set", arguments->parameters, "A parameter of the module")
        ->type_name("PARAM=VALUE")
        ->allow_extra_args(false);
    verb->callback([&session, arguments] {
        session.action = [&session, arguments] { return explain(session, *arguments); };
    });
}

} // namespace kiln::cli
