// SPDX-License-Identifier: Apache-2.0
#include "cli/policy_plans.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln::cli {

policy::Resolution resolve_or_explain(const policy::Policy& policy, const policy::Query& query) {
    try {
        return policy.resolve(query);
    } catch (const Error& error) {
        policy::Resolution resolution;
        auto& plan = resolution.plan;
        plan.module = query.instance.module->name;
        plan.instance = query.instance.name();
        plan.capability = query.arch.target.capability;
        plan.verdict = Verdict::unsupported;
        plan.reason = fmt::format("no plan can be made: {}", error.message());
        plan.origin = error.context("location");
        return resolution;
    }
}

void InstanceNames::add(const std::string& module, const std::string& instance, std::size_t total) {
    if (modules_.empty() || modules_.back().name != module)
        modules_.push_back({module, total, 0});
    ++modules_.back().here;
    instances_.push_back(instance);
}

std::string InstanceNames::str() const {
    constexpr std::size_t most_names = 3;
    if (instances_.size() == 1)
        return instances_.front();
    if (modules_.size() == 1) {
        const auto& one = modules_.front();
        return one.here == one.total
                   ? fmt::format("{} ({} instances)", one.name, one.total)
                   : fmt::format("{} of {} instances of {}", one.here, one.total, one.name);
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(most_names, modules_.size()); ++i)
        text += (text.empty() ? "" : ", ") + modules_[i].name;
    if (modules_.size() > most_names)
        text += fmt::format(" and {} more modules", modules_.size() - most_names);
    return instances_.size() == modules_.size()
               ? text
               : fmt::format("{} ({} instances)", text, instances_.size());
}

} // namespace kiln::cli
