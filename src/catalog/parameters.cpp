// SPDX-License-Identifier: Apache-2.0
#include "catalog/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace kiln::catalog {
namespace {

bool is_identifier(std::string_view text) {
    const auto fits = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) &&
           std::all_of(text.begin(), text.end(), fits);
}

Parameter::Type parse_type(const base::YamlNode& node) {
    const std::string text = node.text();
    if (text == "integer") {
        return Parameter::Type::integer;
    }
    if (text == "text") {
        return Parameter::Type::text;
    }
    throw node.error(fmt::format("`{}` is no type of a parameter", text),
                     "write `integer` or `text`, or list the values alone");
}

bool is_integer(std::string_view text) {
    const auto digits = text.substr(text.starts_with('-') ? 1 : 0);
    return !digits.empty() && digits.size() < 19 &&
           std::all_of(digits.begin(), digits.end(),
                       [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

/// It stands in kernel expressions and options.
bool is_plain_text(std::string_view text) {
    const auto fits = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_.:<>,-+* ").find(c) != std::string_view::npos;
    };
    return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

bool takes(Parameter::Type type, std::string_view value) {
    return (type == Parameter::Type::integer && is_integer(value)) ||
           (type == Parameter::Type::text && is_plain_text(value));
}

Parameter read_parameter(const base::YamlNode::Entry& entry) {
    const base::YamlNode& node = *entry.value;
    if (!node.is_map()) {
        return {entry.key, node.texts()};
    }
    node.only_keys({"type", "values"});
    Parameter parameter{entry.key, node.require("values").texts(),
                        parse_type(node.require("type"))};
    for (const base::YamlNode& item : node["values"].items()) {
        if (!takes(parameter.type, item.text())) {
            throw item.error(fmt::format("`{}` is not of the parameter's type", item.text()));
        }
    }
    return parameter;
}

} // namespace

std::optional<std::string> Parameter::accept(const std::string& value) const {
    const auto listed = [this](const std::string& text) {
        return std::find(values.begin(), values.end(), text) != values.end();
    };
    if (listed(value) || takes(type, value)) {
        return value;
    }
    const std::string boolean = value == "True" ? "true" : value == "False" ? "false" : value;
    return listed(boolean) ? std::optional(boolean) : std::nullopt;
}

std::vector<Parameter> read_parameters(const base::YamlNode& node) {
    constexpr std::size_t most_combinations = 100'000;
    std::vector<Parameter> parameters;
    if (node.is_null()) {
        return parameters;
    }
    std::size_t combinations = 1;
    for (const auto& entry : node.entries()) {
        Parameter parameter = read_parameter(entry);
        if (!is_identifier(parameter.name)) {
            throw entry.value->error(fmt::format("`{}` is no name for a parameter", parameter.name),
                                     "letters, digits and `_`, not a digit first");
        }
        if (parameter.values.empty()) {
            throw entry.value->error(fmt::format("parameter `{}` has no values", parameter.name));
        }
        std::vector<std::string> sorted = parameter.values;
        std::sort(sorted.begin(), sorted.end());
        if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
            twice != sorted.end()) {
            throw entry.value->error(
                fmt::format("parameter `{}` has the value `{}` twice", parameter.name, *twice));
        }
        combinations *= parameter.values.size();
        if (combinations > most_combinations) {
            throw node.error(
                fmt::format("these parameters make more than {} combinations", most_combinations));
        }
        parameters.push_back(std::move(parameter));
    }
    return parameters;
}

std::vector<Exclusion> read_exclusions(const base::YamlNode& node,
                                       const std::vector<Parameter>& parameters) {
    std::vector<Exclusion> exclusions;
    for (const base::YamlNode& item : node.items()) {
        Exclusion exclusion{{}, item.origin()};
        for (const auto& entry : item.entries()) {
            const auto parameter =
                std::find_if(parameters.begin(), parameters.end(),
                             [&entry](const Parameter& one) { return one.name == entry.key; });
            if (parameter == parameters.end()) {
                throw entry.value->error(fmt::format("`{}` is no parameter here", entry.key));
            }
            std::vector<std::string> values = entry.value->texts();
            for (const std::string& value : values) {
                const auto& known = parameter->values;
                if (std::find(known.begin(), known.end(), value) == known.end()) {
                    throw entry.value->error(
                        fmt::format("parameter `{}` has no value `{}`", entry.key, value),
                        fmt::format("it has: {}", fmt::join(known, ", ")));
                }
            }
            exclusion.values.emplace(entry.key, std::move(values));
        }
        if (exclusion.values.empty()) {
            throw item.error("this exclusion names no parameter");
        }
        exclusions.push_back(std::move(exclusion));
    }
    return exclusions;
}

} // namespace kiln::catalog
