// SPDX-License-Identifier: Apache-2.0
#include "base/paths.h"
#include "base/text.h"
#include "service/settings.h"

#include <fmt/format.h>

namespace kiln::service {
namespace {

using base::YamlNode;

/// `${name}` from the variables of the configuration; what is unknown stays an error at its place.
std::string expand(const YamlNode& node, const std::map<std::string, std::string>& variables) {
    std::string text = node.text();
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const auto open = text.find("${", at);
        if (open == std::string::npos)
            return result + text.substr(at);
        const auto close = text.find('}', open);
        if (close == std::string::npos)
            throw node.error("a `${` has no closing brace");
        const auto name = text.substr(open + 2, close - open - 2);
        const auto found = variables.find(name);
        if (found == variables.end()) {
            throw node.error(
                fmt::format("the variable `{}` is not set", name),
                fmt::format("set it under `variables:` or with --variable {}=...", name));
        }
        result += text.substr(at, open - at) + found->second;
        at = close + 1;
    }
    return result;
}

std::filesystem::path path_of(const YamlNode& node, const std::filesystem::path& base,
                              const std::map<std::string, std::string>& variables) {
    const std::filesystem::path path = expand(node, variables);
    return (path.is_absolute() ? path : base / path).lexically_normal();
}

std::uint64_t bytes_of(const YamlNode& node) {
    const auto text = node.text();
    constexpr std::pair<std::string_view, std::uint64_t> units[] = {
        {"KiB", 1u << 10}, {"MiB", 1u << 20}, {"GiB", 1u << 30}, {"", 1}};
    for (const auto& [unit, factor] : units) {
        if (!text.ends_with(unit))
            continue;
        const auto digits = base::trim(std::string_view(text).substr(0, text.size() - unit.size()));
        const auto number = base::parse_unsigned(digits);
        if (number && *number <= UINT64_MAX / factor)
            return *number * factor;
        break;
    }
    throw node.error(fmt::format("`{}` is no size", text), "write it as 512MiB or 2GiB");
}

void require_trust(const YamlNode& node, std::string_view key, bool trusted) {
    if (!trusted) {
        throw node.error(fmt::format("a project may not choose `{}`", key),
                         "give --trust-project, or set it in your own configuration");
    }
}

/// A comma list. In a YAML list each item is one arch, and those that are none are all named, with
/// their places: `9,0` is a slip there and not two entries.
std::string archs_of(const YamlNode& node) {
    if (!node.is_list())
        return node.text();
    std::vector<std::string> wrong;
    std::string hint;
    for (const auto& item : node.items()) {
        const auto text = item.text();
        if (text == "all" || text == "native")
            continue;
        try {
            ArchRequest::parse(text);
        } catch (const Error& error) {
            wrong.push_back(fmt::format("{}: {}", item.origin().with_column(), error.message()));
            hint = hint.empty() ? error.hint() : hint;
        }
    }
    if (!wrong.empty())
        throw Error(ErrorCode::configuration, base::join(wrong, "; "), hint,
                    {{"location", node.origin().with_column()}});
    return base::join(node.texts(), ",");
}

} // namespace

Mode parse_mode(const std::string& text, const std::string& origin) {
    if (text == "normal")
        return Mode::normal;
    if (text == "sealed")
        return Mode::sealed;
    if (text == "off")
        return Mode::off;
    throw Error(ErrorCode::configuration, fmt::format("`{}` is no mode", text),
                "write normal, sealed or off", {{"location", origin}});
}

void apply_configuration(Settings& settings, const std::filesystem::path& file, bool trusted) {
    const auto root = YamlNode::load(file, ErrorCode::configuration);
    const auto base = base::absolute_path(file, ErrorCode::configuration).parent_path();
    root.only_keys({"configuration", "policies", "catalogs", "include_path", "toolkit",
                    "host_compiler", "cache", "mode", "jobs", "strict", "variables", "arch",
                    "experiments"});
    if (const auto version = root.require("configuration"); version.text() != "1") {
        throw version.error(fmt::format("configuration version {} is not known", version.text()),
                            "this Kiln reads version 1");
    }
    if (root.has("variables")) {
        for (const auto& entry : root["variables"].entries()) {
            auto value = expand(*entry.value, settings.variables);
            // What the caller set for a variable is stronger than any file.
            settings.variables.try_emplace(entry.key, std::move(value));
        }
    }
    const auto& variables = settings.variables;
    for (const auto& node : root["policies"].items()) {
        settings.policies.push_back(
            {policy::Layer::library, path_of(node, base, variables), std::nullopt});
    }
    for (const auto& node : root["catalogs"].items())
        settings.catalogs.push_back(path_of(node, base, variables));
    std::vector<source::Root> roots;
    for (const auto& node : root["include_path"].items()) {
        if (node.is_map()) {
            node.only_keys({"name", "path", "system"});
            roots.push_back({node.require("name").text(),
                             path_of(node.require("path"), base, variables),
                             node.has("system") && node["system"].boolean()});
        } else {
            const auto path = path_of(node, base, variables);
            roots.push_back({fmt::format("config:{}", node.text()), path, false});
        }
    }
    // A stronger configuration is searched first.
    settings.include_path.insert(settings.include_path.begin(), roots.begin(), roots.end());
    if (const auto node = root["toolkit"]; !node.is_null()) {
        require_trust(node, "toolkit", trusted);
        const auto text = expand(node, variables);
        const bool is_path = text.find('/') != std::string::npos;
        settings.toolkit = {is_path ? path_of(node, base, variables).string() : text,
                            node.origin().str()};
    }
    if (const auto node = root["host_compiler"]; !node.is_null()) {
        require_trust(node, "host_compiler", trusted);
        settings.host_compiler = {path_of(node, base, variables).string(), node.origin().str()};
    }
    if (const auto cache = root["cache"]; !cache.is_null()) {
        require_trust(cache, "cache", trusted);
        cache.only_keys({"directory", "memory"});
        if (const auto node = cache["directory"]; !node.is_null())
            settings.cache_directory = {path_of(node, base, variables).string(),
                                        node.origin().str()};
        if (const auto node = cache["memory"]; !node.is_null())
            settings.memory_bytes = bytes_of(node);
    }
    if (const auto node = root["mode"]; !node.is_null())
        settings.mode = parse_mode(node.text(), node.origin().with_column());
    if (const auto node = root["jobs"]; !node.is_null()) {
        const auto jobs = node.integer();
        if (jobs < 1 || jobs > 1024)
            throw node.error(fmt::format("{} is no number of jobs", jobs), "write 1 to 1024");
        settings.jobs = static_cast<unsigned>(jobs);
    }
    if (const auto node = root["arch"]; !node.is_null())
        settings.arch = {archs_of(node), node.origin().str()};
    for (auto& name : root["experiments"].texts())
        settings.experiments.push_back(std::move(name));
    if (const auto node = root["strict"]; !node.is_null())
        settings.strict = node.boolean();
    settings.read.push_back(file.string());
}

} // namespace kiln::service
