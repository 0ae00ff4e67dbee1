// SPDX-License-Identifier: Apache-2.0
#include "cli/json_output.h"
#include "cli/policy_plans.h"
#include "cli/policy_verbs.h"
#include "cli/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace kiln::cli {
namespace {

/// Why a plan does not become a cubin.
struct Gate {
    std::string verdict; ///< `deny`, `unsupported`, or `obstacle` for one that is allowed
    std::string rule;    ///< name, or empty
    std::string origin;
    std::string reason;
};

/// The name of the rule that denies.
std::string denying_rule(const Plan& plan) {
    const auto denies = [&plan](const RuleNote& note) {
        return note.applied && note.origin == plan.origin && !note.name.empty() &&
               plan.reason.ends_with(fmt::format(" (rule {})", note.name));
    };
    const auto found = std::find_if(plan.rules.begin(), plan.rules.end(), denies);
    return found == plan.rules.end() ? std::string() : found->name;
}

std::optional<Gate> gate_of(const Plan& plan) {
    if (plan.verdict != Verdict::allow) {
        return Gate{std::string(kiln::to_string(plan.verdict)), denying_rule(plan), plan.origin,
                    plan.reason};
    }
    if (!plan.obstacle.empty())
        return Gate{"obstacle", {}, plan.target_origin, plan.obstacle};
    return std::nullopt;
}

/// The reason without the name of the rule, which has a column of its own.
std::string short_reason(const Gate& gate) {
    const auto suffix = fmt::format(" (rule {})", gate.rule);
    return gate.reason.ends_with(suffix) ? gate.reason.substr(0, gate.reason.size() - suffix.size())
                                         : gate.reason;
}

} // namespace

ExitCode list_gates(Session& session) {
    const auto& state = session.state();
    const auto& catalog = state.catalog();
    const auto& policy = state.policy();
    const auto& toolkit = state.facts();
    const auto archs = session.archs();
    Json list = Json::array();
    Table table{{{{"module"}, {"arch"}, {"verdict"}, {"rule"}, {"origin"}, {"reason"}}}};
    for (const auto& module : catalog.modules()) {
        const auto instances = catalog.instances(module);
        for (const auto& arch : archs) {
            using Key = std::tuple<std::string, std::string, std::string, std::string>;
            std::map<Key, InstanceNames> lines;
            for (const auto& instance : instances) {
                const policy::Query query{instance, arch, archs, toolkit, state.surroundings};
                const auto plan = resolve_or_explain(policy, query).plan;
                const auto gate = gate_of(plan);
                if (!gate)
                    continue;
                list.push_back({{"module", plan.module},
                                {"instance", plan.instance},
                                {"arch", arch.str()},
                                {"verdict", gate->verdict},
                                {"rule", text_or_null(gate->rule)},
                                {"origin", gate->origin},
                                {"reason", gate->reason}});
                lines[{gate->verdict, gate->rule, gate->origin, short_reason(*gate)}].add(
                    plan.module, plan.instance, instances.size());
            }
            for (const auto& [line, names] : lines) {
                const auto& [verdict, rule, origin, reason] = line;
                table.rows.push_back(
                    {{names.str(), Style::strong},
                     {arch.str()},
                     {verdict, verdict == "obstacle" ? Style::warning : Style::bad},
                     {rule.empty() ? "-" : rule},
                     {origin},
                     {reason}});
            }
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

} // namespace kiln::cli
