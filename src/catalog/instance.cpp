// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "catalog/catalog.h"
#include "catalog/expand.h"

#include <kiln/error.h>

#include <fmt/format.h>

namespace kiln::catalog {
namespace {

std::vector<Setting> expanded(const Instance& instance, const std::vector<Setting>& settings) {
    std::vector<Setting> result;
    result.reserve(settings.size());
    for (const Setting& setting : settings) {
        try {
            result.push_back({instance.expand(setting.value), setting.origin});
        } catch (const Error& error) {
            throw error.with("location", setting.origin.with_column());
        }
    }
    return result;
}

} // namespace

std::string Instance::name() const {
    std::string text = module->name;
    char before = '{';
    for (const auto& [parameter, value] : parameters) {
        text += fmt::format("{}{}={}", before, parameter, value);
        before = ',';
    }
    return parameters.empty() ? text : text + "}";
}

std::string Instance::expand(std::string_view text) const {
    Expansion expansion =
        catalog::expand(text, [this](std::string_view name) -> std::optional<std::string> {
            for (const auto& [parameter, value] : parameters) {
                if (parameter == name) {
                    return value;
                }
            }
            return std::nullopt;
        });
    if (!expansion.unknown.empty()) {
        std::vector<std::string> known;
        for (const auto& [parameter, value] : parameters) {
            known.push_back(parameter);
        }
        const auto meant = base::nearest(expansion.unknown, known);
        throw Error(
            ErrorCode::catalog,
            fmt::format("`{}` is no parameter of module {}", expansion.unknown, module->name),
            meant ? fmt::format("did you mean `{}`?", *meant) : std::string());
    }
    return std::move(expansion.text);
}

std::vector<std::string> Instance::kernels() const {
    std::vector<std::string> result;
    for (Setting& kernel : expanded(*this, module->kernels)) {
        result.push_back(std::move(kernel.value));
    }
    return result;
}

std::vector<Setting> Instance::defines() const {
    return expanded(*this, module->defines);
}

std::vector<Setting> Instance::options() const {
    return expanded(*this, module->options);
}

} // namespace kiln::catalog
