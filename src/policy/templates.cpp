// SPDX-License-Identifier: Apache-2.0
#include "policy/templates.h"

#include "catalog/expand.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kiln::policy {
namespace {

constexpr std::string_view environment_prefix = "env:";
/// Variables may name variables; one that names itself ends here.
constexpr int most_levels = 8;

std::optional<std::string> lookup(std::string_view name, const Facts& facts, int level);

/// As it was written.
std::optional<std::string> raw_variable(std::string_view name, const Facts& facts) {
    if (facts.surroundings.variable) {
        if (auto value = facts.surroundings.variable(name)) {
            return value;
        }
    }
    const auto found = facts.variables.find(name);
    return found == facts.variables.end() ? std::nullopt : std::optional(found->second);
}

std::string expanded(std::string_view text, const Facts& facts, int level, std::string& unknown) {
    auto expansion =
        catalog::expand(text, [&](std::string_view name) { return lookup(name, facts, level); });
    if (unknown.empty()) {
        unknown = expansion.unknown;
    }
    return std::move(expansion.text);
}

/// A variable that hangs on an unset one is itself unset.
std::optional<std::string> variable(std::string_view name, const Facts& facts, int level) {
    const auto value = raw_variable(name, facts);
    if (!value || level == most_levels) {
        return std::nullopt;
    }
    std::string unknown;
    std::string text = expanded(*value, facts, level + 1, unknown);
    return unknown.empty() ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<std::string> lookup(std::string_view name, const Facts& facts, int level) {
    if (name.starts_with(environment_prefix)) {
        const auto& environment = facts.surroundings.environment;
        return environment ? environment(name.substr(environment_prefix.size())) : std::nullopt;
    }
    if (const std::string* value = facts.parameter(name)) {
        return *value;
    }
    return variable(name, facts, level);
}

} // namespace

std::optional<std::string> Facts::variable(std::string_view name) const {
    return policy::variable(name, *this, 0);
}

std::string replace_templates(std::string_view text, const Facts& facts,
                              const std::string& origin) {
    std::string unknown;
    std::string result;
    try {
        result = expanded(text, facts, 0, unknown);
    } catch (const Error& error) {
        throw Error(ErrorCode::policy, fmt::format("{}: {}", origin, error.message()), error.hint(),
                    {{"location", origin}});
    }
    if (!unknown.empty()) {
        throw Error(ErrorCode::policy,
                    fmt::format("{}: `${{{}}}` is no parameter of {} and no variable", origin,
                                unknown, facts.module().name),
                    fmt::format("set it with --variable {}=..., under `variables:` of the policy "
                                "or of a configuration, or give a default: `${{{}:-...}}`",
                                unknown, unknown),
                    {{"location", origin}});
    }
    return result;
}

void OptionValues::add(const Rule& rule, const Facts& facts) {
    for (const Option& option : rule.set.options) {
        if (!option.is_template) {
            continue;
        }
        std::string text = replace_templates(option.written, facts, option.origin);
        Option replaced = option.root.empty()
                              ? Option(std::move(text), option.origin)
                              : Option::include(option.root, text.substr(2), option.origin);
        if (const std::string* refusal = replaced.refusal()) {
            throw Error(ErrorCode::policy,
                        fmt::format("{}: the option `{}` is refused: {}", option.origin,
                                    replaced.written, *refusal),
                        {}, {{"location", option.origin}});
        }
        values_.emplace_back(&option, std::move(replaced));
    }
}

const Option& OptionValues::of(const Option& option) const noexcept {
    if (option.is_template) {
        for (const auto& [written, value] : values_) {
            if (written == &option) {
                return value;
            }
        }
    }
    return option;
}

} // namespace kiln::policy
