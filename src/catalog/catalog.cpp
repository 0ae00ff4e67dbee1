// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalog.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln::catalog {
namespace {

std::string parameters_hint(std::string_view word, const std::vector<std::string>& known) {
    if (known.empty()) {
        return "it has no parameters";
    }
    const auto meant = base::nearest(word, known);
    return meant ? fmt::format("did you mean `{}`?", *meant)
                 : fmt::format("it has: {}", base::join(known, ", "));
}

bool contains(const std::vector<std::string>& values, const std::string& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

} // namespace

const Module& Catalog::find(std::string_view name) const {
    const auto found = std::find_if(modules_.begin(), modules_.end(),
                                    [name](const Module& module) { return module.name == name; });
    if (found == modules_.end()) {
        std::vector<std::string> known;
        for (const Module& module : modules_) {
            known.push_back(module.name);
        }
        const auto meant = base::nearest(name, known);
        throw Error(ErrorCode::catalog, fmt::format("there is no module `{}`", name),
                    meant ? fmt::format("did you mean `{}`?", *meant)
                          : "`kiln modules` lists what there is");
    }
    if (const auto unusable = unusable_.find(name); unusable != unusable_.end()) {
        throw unusable->second;
    }
    return *found;
}

const Exclusion* Catalog::exclusion_of(const Instance& instance) const {
    const auto exclusions = excluded_.find(instance.module->name);
    if (exclusions == excluded_.end()) {
        return nullptr;
    }
    const auto excludes = [&instance](const Exclusion& exclusion) {
        return std::all_of(instance.parameters.begin(), instance.parameters.end(),
                           [&](const auto& parameter) {
                               const auto values = exclusion.values.find(parameter.first);
                               return values == exclusion.values.end() ||
                                      contains(values->second, parameter.second);
                           });
    };
    const auto found = std::find_if(exclusions->second.begin(), exclusions->second.end(), excludes);
    return found == exclusions->second.end() ? nullptr : &*found;
}

std::vector<Instance> Catalog::instances(const Module& module) const {
    std::vector<Instance> result;
    std::vector<std::size_t> chosen(module.parameters.size(), 0);
    while (true) {
        Instance instance{&module, {}};
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const Parameter& parameter = module.parameters[i];
            instance.parameters.emplace_back(parameter.name, parameter.values[chosen[i]]);
        }
        if (exclusion_of(instance) == nullptr) {
            result.push_back(std::move(instance));
        }
        // The last parameter changes fastest, as an odometer's last wheel.
        std::size_t wheel = chosen.size();
        while (wheel > 0 && ++chosen[wheel - 1] == module.parameters[wheel - 1].values.size()) {
            chosen[--wheel] = 0;
        }
        if (wheel == 0) {
            return result;
        }
    }
}

Instance Catalog::instance(const Module& module,
                           const std::map<std::string, std::string>& parameters) const {
    std::vector<std::string> names;
    for (const Parameter& parameter : module.parameters) {
        names.push_back(parameter.name);
    }
    for (const auto& [name, value] : parameters) {
        if (!contains(names, name)) {
            throw Error(ErrorCode::catalog,
                        fmt::format("module {} has no parameter `{}`", module.name, name),
                        parameters_hint(name, names));
        }
    }
    Instance result{&module, {}};
    for (const Parameter& parameter : module.parameters) {
        const auto given = parameters.find(parameter.name);
        const std::string& wanted =
            given == parameters.end() ? parameter.values.front() : given->second;
        auto value = parameter.accept(wanted);
        if (!value) {
            throw Error(ErrorCode::catalog,
                        fmt::format("parameter {} of module {} has no value `{}`", parameter.name,
                                    module.name, wanted),
                        fmt::format("it has: {}{}", base::join(parameter.values, ", "),
                                    parameter.type == Parameter::Type::integer
                                        ? ", and any other integer"
                                        : ""));
        }
        result.parameters.emplace_back(parameter.name, *std::move(value));
    }
    if (const Exclusion* exclusion = exclusion_of(result)) {
        throw Error(ErrorCode::catalog, fmt::format("{} is excluded by its catalog", result.name()),
                    fmt::format("`kiln modules {}` lists the combinations there are", module.name),
                    {{"location", exclusion->origin.with_column()}});
    }
    return result;
}

} // namespace kiln::catalog
