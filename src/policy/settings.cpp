// SPDX-License-Identifier: Apache-2.0
#include "policy/settings.h"

#include "base/text.h"
#include "policy/flow_text.h"
#include "policy/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kiln::policy {
namespace {

using Key = Settings::Key;

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

bool parse_missing(const base::YamlNode& node) {
    const std::string text = node.text();
    if (text != "keep" && text != "refuse") {
        throw node.error(fmt::format("`{}` does not say what becomes of a target that the toolkit "
                                     "lacks",
                                     text),
                         "write `refuse` or `keep`");
    }
    return text == "keep";
}

TargetSelection parse_selection(const base::YamlNode& node, TargetSelection::Kind kind) {
    TargetSelection selection{kind, parse_targets(node)};
    const bool in_full = std::all_of(selection.forms.begin(), selection.forms.end(),
                                     [](const auto& form) { return form.exact.has_value(); });
    if (kind != TargetSelection::Kind::prefer && !in_full) {
        throw node.error("these are targets whatever the device, so they are written in full",
                         "write `sm_90a`; `targets:` takes forms such as `a`");
    }
    return selection;
}

Target parse_real_target(const base::YamlNode& node, const std::string& text) {
    try {
        const Target target = Target::parse(text);
        if (target.kind == TargetKind::real) {
            return target;
        }
    } catch (const Error& error) {
        throw node.error(error.message(), error.hint());
    }
    throw node.error(fmt::format("`{}` is no target of a cubin", text), "write `sm_100f`");
}

std::vector<std::pair<Target, Target>> parse_remap(const base::YamlNode& node) {
    std::vector<std::pair<Target, Target>> remap;
    for (const auto& entry : node.entries()) {
        remap.emplace_back(parse_real_target(*entry.value, entry.key),
                           parse_real_target(*entry.value, entry.value->text()));
    }
    return remap;
}

void read_sets(const base::YamlNode& node, const OptionSets& sets, std::vector<Option>& options) {
    for (const base::YamlNode& item : node.items()) {
        const auto found = sets.find(item.text());
        if (found == sets.end()) {
            std::vector<std::string> known;
            for (const auto& [name, unused] : sets) {
                known.push_back(name);
            }
            const auto meant = base::nearest(item.text(), known);
            throw item.error(fmt::format("there is no set `{}` above", item.text()),
                             meant ? fmt::format("did you mean `{}`?", *meant)
                                   : "declare it under `sets:` of this file");
        }
        options.insert(options.end(), found->second.begin(), found->second.end());
    }
}

/// The keys that a rule and a named set share, in the order in which their flags stand.
void read_shared(const base::YamlNode& node, const OptionSets& sets, std::vector<Option>& options) {
    if (node.has("use")) {
        read_sets(node["use"], sets, options);
    }
    if (node.has("defines")) {
        read_defines(node["defines"], options);
    }
    if (node.has("undefines")) {
        read_undefines(node["undefines"], options);
    }
    if (node.has("options")) {
        read_options(node["options"], options);
    }
    if (const auto limit = node["register_limit"]; node.has("register_limit")) {
        options.push_back(checked_option(limit, fmt::format("--maxrregcount={}", limit.text())));
    }
    if (node.has("include")) {
        read_includes(node["include"], options);
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

std::optional<std::uint64_t> parse_size(std::string_view text) noexcept {
    constexpr std::array<std::pair<std::string_view, std::uint64_t>, 3> units{
        {{"KiB", 1ULL << 10}, {"MiB", 1ULL << 20}, {"GiB", 1ULL << 30}}};
    for (const auto& [unit, factor] : units) {
        if (text.ends_with(unit)) {
            const auto number = base::parse_unsigned(text.substr(0, text.size() - unit.size()));
            return number && *number > 0 && *number <= INT64_MAX / factor
                       ? std::optional<std::uint64_t>(*number * factor)
                       : std::nullopt;
        }
    }
    return std::nullopt;
}

OptionSets parse_option_sets(const base::YamlNode& node) {
    OptionSets sets;
    for (const auto& entry : node.entries()) {
        const base::YamlNode& set = *entry.value;
        set.only_keys({"use", "defines", "undefines", "options", "register_limit", "include"});
        std::vector<Option> options;
        read_shared(set, sets, options);
        if (options.empty()) {
            throw set.error(fmt::format("the set `{}` is empty", entry.key));
        }
        sets.emplace(entry.key, std::move(options));
    }
    return sets;
}

Settings Settings::parse(const base::YamlNode& node, const OptionSets& sets) {
    node.only_keys({"targets", "fixed", "only", "missing_targets", "remap", "backends", "ptx",
                    "time_limit", "memory_limit", "language", "use", "defines", "undefines",
                    "options", "register_limit", "include", "remove"});
    Settings settings;
    const auto given = [&](const char* name, Key key) {
        if (!node.has(name)) {
            return false;
        }
        settings.effects.push_back(
            {key, fmt::format("set {}: {}", name, flow_text(node.require(name)))});
        return true;
    };
    constexpr std::pair<const char*, TargetSelection::Kind> selections[] = {
        {"targets", TargetSelection::Kind::prefer},
        {"fixed", TargetSelection::Kind::fixed},
        {"only", TargetSelection::Kind::only}};
    for (const auto& [name, kind] : selections) {
        if (given(name, Key::targets)) {
            if (settings.targets) {
                throw node[name].error(
                    "a rule selects targets in one way: `targets`, `fixed` or `only`");
            }
            settings.targets = parse_selection(node[name], kind);
        }
    }
    if (given("missing_targets", Key::missing_targets)) {
        settings.keep_missing = parse_missing(node["missing_targets"]);
    }
    if (given("remap", Key::remap)) {
        settings.remap = parse_remap(node["remap"]);
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
    if (given("memory_limit", Key::memory_limit)) {
        const base::YamlNode value = node["memory_limit"];
        settings.memory_limit = parse_size(value.text());
        if (!settings.memory_limit) {
            throw value.error(fmt::format("`{}` is no memory limit", value.text()),
                              "write a number with its unit: `512MiB`, `8GiB`");
        }
    }
    if (given("language", Key::language)) {
        const base::YamlNode value = node["language"];
        settings.options.push_back(checked_option(value, "-std=" + value.text()));
    }
    for (const char* name :
         {"use", "defines", "undefines", "options", "register_limit", "include"}) {
        given(name, Key::options);
    }
    read_shared(node, sets, settings.options);
    if (given("remove", Key::remove)) {
        settings.remove = node["remove"].texts();
    }
    if (settings.effects.empty()) {
        throw node.error("this `set:` sets nothing");
    }
    return settings;
}

} // namespace kiln::policy
