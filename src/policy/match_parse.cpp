// SPDX-License-Identifier: Apache-2.0
#include "policy/match.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln::policy {
namespace {

/// Runs a parser that knows no location, and gives its complaint one.
template <typename Parse>
auto located(const base::YamlNode& node, Parse parse) {
    try {
        return parse();
    } catch (const Error& error) {
        if (error.code() == ErrorCode::policy) {
            throw;
        }
        throw node.error(error.message(), error.hint());
    }
}

/// `12.0`, `12.0f` or `120f`.
ComputeCapability parse_family(const base::YamlNode& node) {
    const std::string text = node.text();
    const ComputeCapability capability = located(node, [&text] {
        const bool short_form =
            text.ends_with('f') && text.find('.') == std::string::npos && !text.starts_with("sm_");
        if (text.ends_with('f')) {
            return Target::parse(short_form ? "sm_" + text : text).capability;
        }
        return ComputeCapability::parse(text);
    });
    if (capability.family() != capability) {
        throw node.error(fmt::format("{} does not name a family: it belongs to that of {}",
                                     capability.str(), capability.family().str()));
    }
    return capability;
}

std::vector<std::string> non_empty_texts(const base::YamlNode& node) {
    std::vector<std::string> texts = node.texts();
    if (texts.empty()) {
        throw node.error("an empty list matches nothing", "leave the key out to match everything");
    }
    return texts;
}

catalog::VersionRanges parse_versions(const base::YamlNode& node) {
    return located(node, [&node] { return catalog::VersionRanges::parse(non_empty_texts(node)); });
}

std::vector<VariableCondition> parse_variables(const base::YamlNode& node) {
    std::vector<VariableCondition> conditions;
    for (const auto& entry : node.entries()) {
        VariableCondition condition{entry.key, std::nullopt};
        if (!entry.value->is_null()) {
            condition.comparison = Comparison::parse(*entry.value);
        }
        conditions.push_back(std::move(condition));
    }
    return conditions;
}

std::vector<HeaderCondition> parse_headers(const base::YamlNode& node) {
    std::vector<HeaderCondition> conditions;
    for (const base::YamlNode& item : node.items()) {
        item.only_keys({"name", "contains"});
        conditions.push_back({item.require("name").text(), item.require("contains").text()});
    }
    return conditions;
}

/// A key that is there must say something: `module:` alone would match everything.
void refuse_empty_values(const base::YamlNode& node) {
    for (const auto& entry : node.entries()) {
        if (entry.value->is_null()) {
            throw entry.value->error(fmt::format("the key `{}` has no value", entry.key),
                                     "leave the key out to match everything");
        }
    }
}

} // namespace

std::vector<Backend> parse_backends(const base::YamlNode& node) {
    std::vector<Backend> backends;
    for (const base::YamlNode& item : node.items()) {
        const std::string text = item.text();
        if (text != "nvrtc" && text != "nvcc") {
            throw item.error(fmt::format("`{}` is no backend", text), "write `nvrtc` or `nvcc`");
        }
        const Backend backend = text == "nvrtc" ? Backend::nvrtc : Backend::nvcc;
        if (std::find(backends.begin(), backends.end(), backend) != backends.end()) {
            throw item.error(fmt::format("`{}` is named twice", text));
        }
        backends.push_back(backend);
    }
    if (backends.empty()) {
        throw node.error("an empty list of backends");
    }
    return backends;
}

std::vector<catalog::TargetForm> parse_targets(const base::YamlNode& node) {
    return located(node, [&node] { return catalog::parse_target_forms(non_empty_texts(node)); });
}

ArchMatch ArchMatch::parse(const base::YamlNode& node) {
    ArchMatch match;
    if (const auto value = node["capability"]; node.has("capability")) {
        match.capability = located(
            value, [&value] { return catalog::CapabilityRanges::parse(non_empty_texts(value)); });
    }
    for (const base::YamlNode& item : node["family"].items()) {
        match.families.push_back(parse_family(item));
    }
    for (const base::YamlNode& item : node["major"].items()) {
        match.majors.push_back(static_cast<int>(item.integer()));
    }
    if (node.has("written_out")) {
        match.written_out = node["written_out"].boolean();
    }
    return match;
}

DeviceMatch DeviceMatch::parse(const base::YamlNode& node) {
    node.only_keys({"name", "memory", "shared_memory_per_block", "integrated"});
    refuse_empty_values(node);
    DeviceMatch match;
    if (node.has("name")) {
        match.names = Names(non_empty_texts(node["name"]));
    }
    if (node.has("memory")) {
        match.memory = Comparison::parse(node["memory"], Comparison::Unit::bytes);
    }
    if (node.has("shared_memory_per_block")) {
        match.shared_memory_per_block =
            Comparison::parse(node["shared_memory_per_block"], Comparison::Unit::bytes);
    }
    if (node.has("integrated")) {
        match.integrated = node["integrated"].boolean();
    }
    if (node.entries().empty()) {
        throw node.error("a condition on the device that names no property");
    }
    return match;
}

Match Match::parse(const base::YamlNode& node) {
    node.only_keys({"module", "tag", "capability", "family", "major", "written_out", "any_arch",
                    "parameters", "toolkit", "driver", "device", "environment", "variables",
                    "header", "backend", "target"});
    refuse_empty_values(node);
    Match match;
    if (node.has("module")) {
        match.modules = Names(non_empty_texts(node["module"]));
    }
    if (node.has("tag")) {
        match.tags = non_empty_texts(node["tag"]);
    }
    match.arch = ArchMatch::parse(node);
    if (const auto any = node["any_arch"]; node.has("any_arch")) {
        any.only_keys({"capability", "family", "major", "written_out"});
        refuse_empty_values(any);
        match.any_arch = ArchMatch::parse(any);
    }
    if (node.has("parameters")) {
        for (const auto& entry : node["parameters"].entries()) {
            match.parameters.push_back(ParameterCondition::parse(entry));
        }
    }
    if (node.has("toolkit")) {
        match.toolkit = parse_versions(node["toolkit"]);
    }
    if (node.has("driver")) {
        match.driver = parse_versions(node["driver"]);
    }
    if (node.has("device")) {
        match.device = DeviceMatch::parse(node["device"]);
    }
    if (node.has("environment")) {
        match.environment = parse_variables(node["environment"]);
    }
    if (node.has("variables")) {
        match.variables = parse_variables(node["variables"]);
    }
    if (node.has("header")) {
        match.headers = parse_headers(node["header"]);
    }
    if (node.has("backend")) {
        match.backends = parse_backends(node["backend"]);
    }
    if (node.has("target")) {
        match.targets = parse_targets(node["target"]);
    }
    return match;
}

} // namespace kiln::policy
