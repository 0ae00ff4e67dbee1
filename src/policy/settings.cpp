// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "policy/flow_text.h"
#include "policy/rule.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace kiln::policy {
namespace {

using Outcome = Translation::Outcome;

/// `${` has no meaning in a policy yet, and shall not change its meaning when it gets one.
std::string plain_text(const base::YamlNode& node) {
    std::string text = node.text();
    if (text.find("${") != std::string::npos) {
        throw node.error("`${...}` is not replaced in a policy",
                         "a catalog's defines and options can name parameters and variables");
    }
    return text;
}

PtxUse parse_ptx(const base::YamlNode& node) {
    const std::string text = node.text();
    for (const PtxUse use : {PtxUse::never, PtxUse::fallback, PtxUse::always}) {
        if (text == to_string(use)) {
            return use;
        }
    }
    throw node.error(fmt::format("`{}` does not say when PTX is wanted", text),
                     "write `never`, `fallback` or `always`");
}

Option checked(const base::YamlNode& node, std::string text) {
    Option option(std::move(text), node.origin().str());
    if (const std::string* refusal = option.refusal()) {
        throw node.error(fmt::format("the option `{}` is refused: {}", option.written, *refusal));
    }
    return option;
}

void read_defines(const base::YamlNode& node, std::vector<Option>& options) {
    for (const auto& entry : node.entries()) {
        std::string text = "-D" + entry.key;
        if (!entry.value->is_null()) {
            text += '=';
            text += plain_text(*entry.value);
        }
        Option option(std::move(text), entry.key_origin.str());
        if (const std::string* refusal = option.refusal()) {
            throw entry.value->error(
                fmt::format("the define `{}` is refused: {}", entry.key, *refusal));
        }
        options.push_back(std::move(option));
    }
}

} // namespace

std::string_view to_string(PtxUse use) noexcept {
    switch (use) {
    case PtxUse::fallback:
        return "fallback";
    case PtxUse::always:
        return "always";
    case PtxUse::never:
        break;
    }
    return "never";
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) noexcept {
    constexpr std::array<std::pair<std::string_view, long long>, 4> units{
        {{"ms", 1}, {"min", 60'000}, {"s", 1'000}, {"h", 3'600'000}}};
    constexpr unsigned long long most_hours = 24 * 365;
    for (const auto& [unit, milliseconds] : units) {
        if (!text.ends_with(unit)) {
            continue;
        }
        const auto number = base::parse_unsigned(text.substr(0, text.size() - unit.size()));
        if (!number || *number == 0 ||
            *number > most_hours * 3'600'000 / static_cast<unsigned long long>(milliseconds)) {
            return std::nullopt;
        }
        return std::chrono::milliseconds(static_cast<long long>(*number) * milliseconds);
    }
    return std::nullopt;
}

Option::Option(std::string text, std::string place)
    : written(std::move(text)), origin(std::move(place)), nvrtc(translate(written, Backend::nvrtc)),
      nvcc(translate(written, Backend::nvcc)), subject(subject_of(written)) {}

const std::string* Option::refusal() const noexcept {
    const bool everywhere = nvrtc.outcome == Outcome::refused && nvcc.outcome == Outcome::refused;
    return everywhere ? &nvcc.reason : nullptr;
}

Settings Settings::parse(const base::YamlNode& node) {
    node.only_keys({"targets", "backends", "ptx", "time_limit", "language", "defines", "options"});
    Settings settings;
    const auto given = [&](const char* name, Key key) {
        if (!node.has(name)) {
            return false;
        }
        settings.effects.push_back(
            {key, fmt::format("set {}: {}", name, flow_text(node.require(name)))});
        return true;
    };
    if (given("targets", Key::targets)) {
        settings.targets = parse_targets(node["targets"]);
    }
    if (given("backends", Key::backends)) {
        settings.backends = parse_backends(node["backends"]);
    }
    if (given("ptx", Key::ptx)) {
        settings.ptx = parse_ptx(node["ptx"]);
    }
    if (given("time_limit", Key::time_limit)) {
        const base::YamlNode value = node["time_limit"];
        settings.time_limit = parse_duration(value.text());
        if (!settings.time_limit) {
            throw value.error(fmt::format("`{}` is no time limit", value.text()),
                              "write a number with its unit: `300s`, `10min`, `1h`");
        }
    }
    if (given("language", Key::language)) {
        const base::YamlNode value = node["language"];
        settings.options.push_back(checked(value, "-std=" + plain_text(value)));
    }
    if (given("defines", Key::defines)) {
        read_defines(node["defines"], settings.options);
    }
    if (given("options", Key::options)) {
        for (const base::YamlNode& item : node["options"].items()) {
            settings.options.push_back(checked(item, plain_text(item)));
        }
    }
    if (settings.effects.empty()) {
        throw node.error("this `set:` sets nothing");
    }
    return settings;
}

} // namespace kiln::policy
