// SPDX-License-Identifier: Apache-2.0
#include "cli/json_output.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kiln::cli {
namespace {

Json flag_json(const Flag& flag) {
    return {{"value", flag.value}, {"origin", flag.origin}};
}

Json rule_json(const RuleNote& rule) {
    return {{"name", text_or_null(rule.name)},
            {"origin", rule.origin},
            {"effect", rule.effect},
            {"applied", rule.applied},
            {"reason", text_or_null(rule.reason)}};
}

Json names_of(std::span<const Target> targets) {
    Json names = Json::array();
    for (const auto& target : targets)
        names.push_back(target.str());
    return names;
}

template <typename Values, typename ToJson>
Json list_of(const Values& values, ToJson to_json) {
    Json list = Json::array();
    for (const auto& value : values)
        list.push_back(to_json(value));
    return list;
}

/// How much a plan says for the set that it is one of: what is allowed somewhere is allowed.
int rank(const Plan& plan) {
    return plan.verdict == Verdict::allow ? 0 : plan.verdict == Verdict::deny ? 1 : 2;
}

} // namespace

Json to_json(const Plan& plan) {
    Json warnings = Json::array();
    for (const auto& warning : plan.warnings)
        warnings.push_back({{"text", warning.text}, {"origin", warning.origin}});
    return {{"module", plan.module},
            {"instance", plan.instance},
            {"capability", plan.capability.str()},
            {"target", plan.target ? Json(plan.target->str()) : Json(nullptr)},
            {"targets", names_of(plan.targets)},
            {"target_reason", text_or_null(plan.target_reason)},
            {"target_origin", text_or_null(plan.target_origin)},
            {"verdict", kiln::to_string(plan.verdict)},
            {"reason", text_or_null(plan.reason)},
            {"origin", text_or_null(plan.origin)},
            {"backend", kiln::to_string(plan.backend)},
            {"backend_origin", text_or_null(plan.backend_origin)},
            {"toolkit", plan.toolkit},
            {"toolkit_on_paper", plan.toolkit_on_paper},
            {"runs_on_device", plan.runs_on_device},
            {"obstacle", text_or_null(plan.obstacle)},
            {"warnings", std::move(warnings)},
            {"flags", list_of(plan.flags, flag_json)},
            {"requires", plan.requires_},
            {"rules", list_of(plan.rules, rule_json)}};
}

Json to_json(std::span<const Plan> plans) {
    std::set<Target> targets;
    std::vector<Flag> flags;
    const Plan* first = nullptr; // where no arch was left: none
    for (const auto& plan : plans) {
        if (first == nullptr || rank(plan) < rank(*first))
            first = &plan;
        if (plan.verdict != Verdict::allow)
            continue;
        targets.insert(plan.targets.begin(), plan.targets.end());
        for (const auto& flag : plan.flags) {
            const bool known = std::any_of(flags.begin(), flags.end(), [&](const Flag& one) {
                return one.value == flag.value && one.origin == flag.origin;
            });
            if (!known)
                flags.push_back(flag);
        }
    }
    const std::vector<Target> sorted(targets.begin(), targets.end());
    return {{"verdict", first == nullptr ? Json(nullptr) : Json(kiln::to_string(first->verdict))},
            {"reason", text_or_null(first == nullptr ? "" : first->reason)},
            {"origin", text_or_null(first == nullptr ? "" : first->origin)},
            {"targets", names_of(sorted)},
            {"flags", list_of(flags, flag_json)},
            {"plans", list_of(plans, [](const Plan& plan) { return to_json(plan); })}};
}

} // namespace kiln::cli
