// SPDX-License-Identifier: Apache-2.0
#include "policy/rule.h"

#include "base/text.h"
#include "policy/flow_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace kiln::policy {
namespace {

/// Names of denies that Kiln makes itself from a catalog.
constexpr std::string_view reserved_prefix = "needs:";

void check_name(const base::YamlNode& node) {
    const std::string name = node.text();
    const auto fits = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_-.:/").find(c) != std::string_view::npos;
    };
    if (name.empty() || !std::all_of(name.begin(), name.end(), fits)) {
        throw node.error(fmt::format("`{}` is no name for a rule", name),
                         "letters, digits and `_ - . : /`");
    }
    if (name.starts_with(reserved_prefix)) {
        throw node.error(
            fmt::format("names with `{}` are those of a catalog's needs", reserved_prefix));
    }
}

void require_name(const base::YamlNode& node, const Rule& rule, const char* what) {
    if (rule.name.empty()) {
        throw node.error(fmt::format("{} needs a name, so that a later layer can allow it", what),
                         "add `name:` to this rule");
    }
}

/// The text of a key, which has to say something.
std::string reason_of(const base::YamlNode& node, const char* what) {
    std::string reason = node.text();
    if (base::trim(reason).empty()) {
        throw node.error(fmt::format("{} needs a reason", what));
    }
    return reason;
}

void read_allow(const base::YamlNode& allow, Rule& rule) {
    if (!allow.is_map()) {
        throw allow.error("an allow names the deny that it opens, and a reason",
                          "write `allow: {rule: NAME, reason: TEXT}`");
    }
    allow.only_keys({"rule", "reason"});
    rule.allow = allow.require("rule").texts();
    rule.allow_reason = allow.require("reason").text();
    if (rule.allow.empty() || base::trim(rule.allow_reason).empty()) {
        throw allow.error("an allow needs the name of a deny, and a reason");
    }
}

void read_verdict(const base::YamlNode& node, Rule& rule) {
    if (node.has("deny") + node.has("allow") + node.has("experimental") > 1) {
        throw node.error("a rule denies, allows or is experimental: one of them");
    }
    if (const auto deny = node["deny"]; node.has("deny")) {
        rule.deny = reason_of(deny, "a deny");
        require_name(deny, rule, "a deny");
    }
    if (const auto experimental = node["experimental"]; node.has("experimental")) {
        rule.experimental = reason_of(experimental, "an experimental rule");
        require_name(experimental, rule, "an experimental rule");
    }
    if (node.has("allow")) {
        read_allow(node["allow"], rule);
    }
    if (node.has("warn")) {
        rule.warn = reason_of(node["warn"], "a warning");
    }
    if (const auto only = node["set"]["only"]; !only.is_null()) {
        require_name(only, rule, "`only`, which denies,");
    }
}

/// What may be demanded, and of which kind.
void read_demands(const base::YamlNode& node, Rule& rule) {
    constexpr std::pair<std::string_view, std::string_view> known[] = {
        {"probe", "ok"}, {"evidence", "correct"}, {"faster_than", "fallback"}};
    node.only_keys({"probe", "evidence", "faster_than"});
    for (const auto& entry : node.entries()) {
        const std::string value = entry.value->text();
        for (const auto& [name, wanted] : known) {
            if (entry.key == name && value != wanted && value != "none") {
                throw entry.value->error(
                    fmt::format("`{}` is nothing that `{}` can be", value, name),
                    fmt::format("write `{}: {}`, or `none` to lift a weaker "
                                "layer's demand",
                                name, wanted));
            }
        }
        rule.require.emplace(entry.key, value);
    }
    if (rule.require.empty()) {
        throw node.error("this `require:` demands nothing");
    }
}

/// What a setting decides must be known before the condition that it hangs on.
void check_stage(const base::YamlNode& node, const Rule& rule) {
    const auto refuse = [&node](const char* key, const char* condition) {
        throw node["set"][key].error(fmt::format(
            "a rule that asks for the {} cannot set `{}`, which decides it", condition, key));
    };
    if (rule.set.backends && rule.stage != Stage::request) {
        refuse("backends", rule.stage == Stage::backend ? "backend" : "target");
    }
    if (rule.stage != Stage::target) {
        return;
    }
    for (const char* key : {"targets", "fixed", "only", "missing_targets", "remap", "ptx"}) {
        if (node["set"].has(key)) {
            refuse(key, "target");
        }
    }
}

/// An option that the only backend of a rule refuses can never be meant.
void check_backend(const base::YamlNode& node, const Rule& rule) {
    if (rule.match.backends.size() != 1) {
        return;
    }
    const Backend backend = rule.match.backends.front();
    for (const Option& option : rule.set.options) {
        const Translation& translation = option.for_backend(backend);
        if (translation.outcome == Translation::Outcome::refused) {
            throw node["set"].error(fmt::format("the option `{}` is refused for {}: {}",
                                                option.written, to_string(backend),
                                                translation.reason));
        }
    }
}

std::string condition_text(const base::YamlNode& node) {
    // The braces of the outermost map say nothing.
    const auto inside = [&node](const char* key) {
        const std::string text = flow_text(node[key]);
        return text.size() < 2 ? text : text.substr(1, text.size() - 2);
    };
    std::string text = inside("match");
    if (node.has("unless")) {
        text += (text.empty() ? "" : "; ") + ("unless " + inside("unless"));
    }
    return text.empty() ? "everything" : text;
}

} // namespace

Rule Rule::parse(const base::YamlNode& node, Layer layer, const OptionSets& sets) {
    node.only_keys(
        {"name", "match", "unless", "set", "deny", "allow", "experimental", "warn", "require"});
    Rule rule;
    rule.layer = layer;
    rule.origin = node.origin().str();
    if (node.has("name")) {
        check_name(node["name"]);
        rule.name = node["name"].text();
    }
    if (node.has("match")) {
        rule.match = Match::parse(node["match"]);
    }
    rule.stage = rule.match.stage();
    if (node.has("unless")) {
        if (node["unless"].is_null()) {
            throw node["unless"].error("the key `unless` has no value");
        }
        if (node["unless"].entries().empty()) {
            throw node["unless"].error("an empty `unless:` lets every rule fall");
        }
        rule.unless = Match::parse(node["unless"]);
        rule.stage = std::max(rule.stage, rule.unless->stage());
    }
    if (node.has("set")) {
        rule.set = Settings::parse(node["set"], sets);
    }
    read_verdict(node, rule);
    if (node.has("require")) {
        read_demands(node["require"], rule);
    }
    if (rule.set.effects.empty() && !rule.refuses() && rule.allow.empty() && rule.warn.empty() &&
        rule.require.empty()) {
        throw node.error("this rule does nothing", "give it `set:`, `deny:`, `allow:`, `warn:`, "
                                                   "`experimental:` or `require:`");
    }
    check_stage(node, rule);
    check_backend(node, rule);
    rule.match_text = condition_text(node);
    return rule;
}

bool Rule::holds(const Facts& facts) const {
    if ((stage == Stage::target && !facts.target) || (stage != Stage::request && !facts.backend)) {
        return false;
    }
    return match.holds(facts) && !(unless && unless->holds(facts));
}

bool Rule::allows(std::string_view deny_name) const noexcept {
    return std::any_of(allow.begin(), allow.end(), [deny_name](const std::string& glob) {
        return base::glob_match(glob, deny_name) ||
               // `needs:MODULE` stands for each of a module's needs, `needs:MODULE#2` for one.
               (glob.starts_with(reserved_prefix) && deny_name.starts_with(glob) &&
                deny_name.substr(glob.size()).starts_with('#'));
    });
}

} // namespace kiln::policy
