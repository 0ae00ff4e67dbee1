// SPDX-License-Identifier: Apache-2.0
#include "policy/match.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln::policy {
namespace {

template <typename T>
bool contains(const std::vector<T>& values, const T& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

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

} // namespace

std::vector<Backend> parse_backends(const base::YamlNode& node) {
    std::vector<Backend> backends;
    for (const base::YamlNode& item : node.items()) {
        const std::string text = item.text();
        if (text != "nvrtc" && text != "nvcc") {
            throw item.error(fmt::format("`{}` is no backend", text), "write `nvrtc` or `nvcc`");
        }
        const Backend backend = text == "nvrtc" ? Backend::nvrtc : Backend::nvcc;
        if (contains(backends, backend)) {
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

Match Match::parse(const base::YamlNode& node) {
    node.only_keys(
        {"module", "tag", "capability", "family", "major", "toolkit", "backend", "target"});
    Match match;
    if (node.has("module")) {
        match.modules = non_empty_texts(node["module"]);
    }
    if (node.has("tag")) {
        match.tags = non_empty_texts(node["tag"]);
    }
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
    if (const auto value = node["toolkit"]; node.has("toolkit")) {
        match.toolkit = located(
            value, [&value] { return catalog::VersionRanges::parse(non_empty_texts(value)); });
    }
    if (node.has("backend")) {
        match.backends = parse_backends(node["backend"]);
    }
    if (node.has("target")) {
        match.targets = parse_targets(node["target"]);
    }
    return match;
}

bool Match::holds(const Facts& facts) const {
    const auto any_glob = [](const std::vector<std::string>& globs, const std::string& text) {
        return std::any_of(globs.begin(), globs.end(), [&text](const std::string& glob) {
            return base::glob_match(glob, text);
        });
    };
    const auto any_tag = [&] {
        return std::any_of(facts.module.tags.begin(), facts.module.tags.end(),
                           [this](const std::string& tag) { return contains(tags, tag); });
    };
    return (modules.empty() || any_glob(modules, facts.module.name)) &&
           (tags.empty() || any_tag()) && (!capability || capability->contains(facts.capability)) &&
           (families.empty() || contains(families, facts.capability.family())) &&
           (majors.empty() || contains(majors, static_cast<int>(facts.capability.major))) &&
           (!toolkit || toolkit->contains(facts.toolkit)) &&
           (backends.empty() || (facts.backend && contains(backends, *facts.backend))) &&
           (targets.empty() || (facts.target && catalog::covers(targets, *facts.target)));
}

Stage Match::stage() const noexcept {
    if (!targets.empty()) {
        return Stage::target;
    }
    return backends.empty() ? Stage::request : Stage::backend;
}

} // namespace kiln::policy
