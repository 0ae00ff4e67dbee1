// SPDX-License-Identifier: Apache-2.0
#include "catalog/module_reader.h"

#include "catalog/needs.h"
#include "catalog/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace kiln::catalog {
namespace {

/// Names that stand in messages, keys and on a command line as they are.
bool is_name(std::string_view text) {
    const auto fits = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) ||
               std::string_view("_-.+/").find(c) != std::string_view::npos;
    };
    return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), fits);
}

/// The roots that every compile has beside a module's own.
bool is_reserved(std::string_view root) {
    return root == "source" || root == "cccl" || root == "cuda";
}

std::string backend_name(const base::YamlNode& node) {
    std::string name = node.text();
    if (name != "nvrtc" && name != "nvcc") {
        throw node.error(fmt::format("`{}` is no backend", name), "write `nvrtc` or `nvcc`");
    }
    return name;
}

std::string language_name(const base::YamlNode& node) {
    std::string name = node.text();
    if (name != "c++11" && name != "c++14" && name != "c++17" && name != "c++20") {
        throw node.error(fmt::format("`{}` is no language that both compilers have", name),
                         "write `c++11`, `c++14`, `c++17` or `c++20`");
    }
    return name;
}

} // namespace

std::string ModuleReader::expanded(const base::YamlNode& node,
                                   const std::vector<Parameter>* parameters) {
    const auto lookup = [&](std::string_view name) -> std::optional<std::string> {
        if (parameters != nullptr) {
            for (const Parameter& parameter : *parameters) {
                if (parameter.name == name) {
                    return fmt::format("${{{}}}", name); // for the instance to replace
                }
            }
        }
        return variables_(name);
    };
    try {
        Expansion expansion = expand(node.text(), lookup);
        if (!expansion.unknown.empty()) {
            unknown_.push_back({expansion.unknown, node.origin()});
        }
        return std::move(expansion.text);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::usage) {
            throw node.error(error.message(), error.hint());
        }
        throw;
    }
}

std::filesystem::path ModuleReader::path(const base::YamlNode& node) {
    const std::string text = expanded(node, nullptr);
    if (text.empty()) {
        throw node.error("an empty path");
    }
    return (directory_ / text).lexically_normal();
}

std::vector<Setting> ModuleReader::settings(const base::YamlNode& node, const Module& module) {
    std::vector<Setting> result;
    for (const base::YamlNode& item : node.items()) {
        result.push_back({expanded(item, &module.parameters), item.origin()});
        if (result.back().value.empty()) {
            throw item.error("an empty text");
        }
    }
    return result;
}

std::vector<Setting> ModuleReader::defines(const base::YamlNode& node, const Module& module) {
    std::vector<Setting> result;
    if (node.is_null()) {
        return result;
    }
    for (const auto& entry : node.entries()) {
        std::string text = entry.key;
        if (!entry.value->is_null()) {
            text += '=';
            text += expanded(*entry.value, &module.parameters);
        }
        result.push_back({std::move(text), entry.key_origin});
    }
    return result;
}

std::vector<IncludeRoot> ModuleReader::roots(const base::YamlNode& node) {
    std::vector<IncludeRoot> result;
    if (node.is_null()) {
        return result;
    }
    for (const auto& entry : node.entries()) {
        if (!is_name(entry.key) || is_reserved(entry.key)) {
            throw entry.value->error(
                fmt::format("an include root cannot be called `{}`", entry.key),
                is_reserved(entry.key) ? "`source`, `cccl` and `cuda` are there already"
                                       : "letters, digits and `_ - . + /`");
        }
        result.push_back({entry.key, path(*entry.value), entry.key_origin});
    }
    return result;
}

Module ModuleReader::read(const base::YamlNode& node) {
    unknown_.clear();
    node.only_keys({"name", "description", "source", "kernels", "parameters", "exclude", "include",
                    "defines", "options", "backends", "language", "tags", "needs"});
    Module module;
    module.origin = node.origin();
    const base::YamlNode name = node.require("name");
    module.name = name.text();
    if (!is_name(module.name)) {
        throw name.error(fmt::format("`{}` is no name for a module", module.name),
                         "letters, digits and `_ - . + /`");
    }
    module.description = node.has("description") ? node["description"].text() : std::string();
    module.parameters = read_parameters(node["parameters"]);
    if (node.has("source")) {
        module.source = path(node.require("source"));
        module.kernels = settings(node.require("kernels"), module);
        if (module.kernels.empty()) {
            throw node["kernels"].error("this module has no kernels");
        }
    } else if (node.has("kernels")) {
        throw node["kernels"].error("kernels without a `source:` to compile them from");
    }
    module.include_roots = roots(node["include"]);
    module.defines = defines(node["defines"], module);
    module.options = settings(node["options"], module);
    for (const base::YamlNode& item : node["backends"].items()) {
        module.backends.push_back(backend_name(item));
    }
    if (node.has("language")) {
        module.language = language_name(node["language"]);
    }
    for (const base::YamlNode& item : node["tags"].items()) {
        module.tags.push_back(item.text());
    }
    module.needs = read_needs(node["needs"]);
    return module;
}

} // namespace kiln::catalog
