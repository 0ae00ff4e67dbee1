// SPDX-License-Identifier: Apache-2.0
#include "policy/single_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kiln::policy {
namespace {

std::string text_of(const TargetSelection& selection) {
    constexpr const char* kinds[] = {"", "fixed ", "only "};
    return kinds[static_cast<int>(selection.kind)] + catalog::str(selection.forms);
}

std::string text_of(const std::vector<Backend>& backends) {
    std::vector<std::string_view> names;
    for (const Backend backend : backends) {
        names.push_back(to_string(backend));
    }
    return fmt::format("[{}]", fmt::join(names, ", "));
}

/// It has one value, and this one is known.
bool is_single(const Option& option) {
    return option.subject.single && !option.is_template;
}

} // namespace

std::vector<SingleValue> single_values(const Rule& rule) {
    std::vector<SingleValue> values;
    const Settings& set = rule.set;
    const auto add = [&values](std::string key, std::string value) {
        values.push_back({std::move(key), std::move(value)});
    };
    if (set.targets) {
        add("targets", text_of(*set.targets));
    }
    if (set.keep_missing) {
        add("missing_targets", *set.keep_missing ? "keep" : "refuse");
    }
    for (const auto& [from, to] : set.remap) {
        add("remap " + from.str(), to.str());
    }
    if (set.backends) {
        add("backends", text_of(*set.backends));
    }
    if (set.ptx) {
        add("ptx", std::string(to_string(*set.ptx)));
    }
    if (set.time_limit) {
        add("time_limit", fmt::format("{} ms", set.time_limit->count()));
    }
    if (set.memory_limit) {
        add("memory_limit", fmt::format("{} bytes", *set.memory_limit));
    }
    for (const auto& [demand, value] : rule.require) {
        add("require " + demand, value);
    }
    for (auto option = set.options.begin(); option != set.options.end(); ++option) {
        // Within a rule the last counts too.
        const bool is_last = std::none_of(option + 1, set.options.end(), [&](const Option& later) {
            return later.subject.name == option->subject.name;
        });
        if (is_single(*option) && is_last) {
            values.push_back({option->subject.name, option->written, &*option});
        }
    }
    return values;
}

bool sets_single_values_alone(const Rule& rule) {
    return !rule.refuses() && rule.allow.empty() && rule.warn.empty() && rule.set.remove.empty() &&
           std::all_of(rule.set.options.begin(), rule.set.options.end(), is_single) &&
           (!rule.set.effects.empty() || !rule.require.empty());
}

} // namespace kiln::policy
