// SPDX-License-Identifier: Apache-2.0
#include "policy/module_rules.h"

#include "base/text.h"

#include <fmt/format.h>

namespace kiln::policy {
namespace {

using Key = Settings::Key;

Option checked(std::string text, const base::Origin& origin, const catalog::Module& module) {
    Option option(std::move(text), origin.str());
    if (const std::string* refusal = option.refusal()) {
        throw Error(ErrorCode::policy,
                    fmt::format("the option `{}` of module {} is refused: {}", option.written,
                                module.name, *refusal),
                    {}, {{"location", origin.with_column()}});
    }
    return option;
}

Rule own_settings(const catalog::Instance& instance) {
    const catalog::Module& module = *instance.module;
    Rule rule;
    rule.layer = layer_of(module);
    rule.name = "module " + module.name;
    rule.origin = module.origin.str();
    Settings& set = rule.set;
    if (!module.backends.empty()) {
        set.backends.emplace();
        for (const std::string& backend : module.backends) {
            set.backends->push_back(backend == "nvcc" ? Backend::nvcc : Backend::nvrtc);
        }
        set.effects.push_back(
            {Key::backends, fmt::format("set backends: [{}]", base::join(module.backends, ", "))});
    }
    if (!module.language.empty()) {
        set.options.push_back(checked("-std=" + module.language, module.origin, module));
        set.effects.push_back({Key::language, "set language: " + module.language});
    }
    for (const catalog::Setting& define : instance.defines()) {
        set.options.push_back(checked("-D" + define.value, define.origin, module));
    }
    for (const catalog::Setting& option : instance.options()) {
        set.options.push_back(checked(option.value, option.origin, module));
    }
    return rule;
}

Rule deny_of(const catalog::Need& need) {
    Rule rule;
    rule.origin = need.origin.str();
    if (!need.when.empty()) {
        rule.match.arch.capability = catalog::CapabilityRanges::parse(need.when);
    }
    Match met;
    std::vector<std::string> asked;
    if (!need.capability.empty()) {
        met.arch.capability = catalog::CapabilityRanges::parse(need.capability);
        asked.push_back("capability " + need.capability);
    }
    if (!need.targets.empty()) {
        met.targets = catalog::parse_target_forms({need.targets});
        asked.push_back("a target of " + catalog::str(met.targets));
    }
    if (!need.toolkit.empty()) {
        met.toolkit = catalog::VersionRanges::parse(need.toolkit);
        asked.push_back("CUDA " + need.toolkit);
    }
    rule.stage = met.stage();
    rule.unless = std::move(met);
    rule.deny = fmt::format("it needs {}: {}", base::join(asked, " and "), need.reason);
    return rule;
}

} // namespace

Layer layer_of(const catalog::Module& module) noexcept {
    return module.origin.line == 0 ? Layer::command_line : Layer::library;
}

std::vector<Rule> module_rules(const catalog::Instance& instance) {
    const catalog::Module& module = *instance.module;
    std::vector<Rule> rules;
    rules.reserve(module.needs.size() + 1);
    rules.push_back(own_settings(instance));
    for (std::size_t i = 0; i < module.needs.size(); ++i) {
        Rule rule = deny_of(module.needs[i]);
        rule.layer = layer_of(module);
        rule.name = module.needs.size() == 1 ? fmt::format("needs:{}", module.name)
                                             : fmt::format("needs:{}#{}", module.name, i + 1);
        rules.push_back(std::move(rule));
    }
    return rules;
}

} // namespace kiln::policy
