// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "policy/checked_policy.h"
#include "policy/flags.h"
#include "policy/module_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace kiln::policy {
namespace {

/// Something that an `allow` can open.
struct Deny {
    Layer layer;
    std::string title;
    std::optional<Conditions> conditions; ///< absent: of a catalog, not compared
};

class Denies {
  public:
    Denies(const CheckedPolicy& policy, const catalog::Catalog* catalog) {
        for (const CheckedRule& checked : policy.rules) {
            const Rule& rule = *checked.rule;
            const bool is_only =
                rule.set.targets && rule.set.targets->kind == TargetSelection::Kind::only;
            if (rule.refuses() || is_only) {
                by_name_[rule.name].push_back({rule.layer, checked.title(), checked.conditions});
            } else if (!rule.name.empty()) {
                harmless_.insert(rule.name);
            }
        }
        for (const ReadDocument& document : policy.documents) {
            for (const Miscompile& one : document.miscompiles) {
                by_name_[one.name].push_back({one.layer,
                                              fmt::format("`{}` ({})", one.name, one.origin),
                                              Conditions(one.match, std::nullopt)});
            }
        }
        if (catalog == nullptr) {
            return;
        }
        for (const catalog::Module& module : catalog->modules()) {
            for (std::size_t i = 0; i < module.needs.size(); ++i) {
                const std::string name = module.needs.size() == 1
                                             ? fmt::format("needs:{}", module.name)
                                             : fmt::format("needs:{}#{}", module.name, i + 1);
                by_name_[name].push_back(
                    {layer_of(module), fmt::format("`{}` ({})", name, module.needs[i].origin.str()),
                     std::nullopt});
            }
        }
    }

    std::vector<const Deny*> named_by(const std::string& glob) const {
        std::vector<const Deny*> found;
        const auto add = [&found](const std::vector<Deny>& denies) {
            for (const Deny& deny : denies) {
                found.push_back(&deny);
            }
        };
        const bool is_name =
            glob.find_first_of("*?") == std::string::npos && !glob.starts_with("needs:");
        if (is_name) {
            if (const auto at = by_name_.find(glob); at != by_name_.end()) {
                add(at->second);
            }
            return found;
        }
        Rule rule;
        rule.allow = {glob};
        for (const auto& [name, denies] : by_name_) {
            if (rule.allows(name)) {
                add(denies);
            }
        }
        return found;
    }

    bool is_harmless(const std::string& name) const { return harmless_.count(name) != 0; }
    std::string meant(const std::string& name) const {
        std::vector<std::string> known;
        for (const auto& [one, denies] : by_name_) {
            known.push_back(one);
        }
        const auto near = base::nearest(name, known);
        return near ? fmt::format("did you mean `{}`?", *near) : std::string();
    }

  private:
    std::map<std::string, std::vector<Deny>> by_name_;
    std::set<std::string> harmless_; ///< names of rules that deny nothing
};

void check_allow(const CheckedRule& checked, const base::YamlNode& item, const Denies& denies,
                 bool catalog_is_known, Findings& findings) {
    const std::string name = item.text();
    if (name.starts_with("needs:") && !catalog_is_known) {
        return;
    }
    const auto say = [&](std::string message, std::string hint = {}) {
        findings.warnings.push_back(
            finding_at(item, checked.rule->name, std::move(message), std::move(hint)));
    };
    std::vector<const Deny*> named = denies.named_by(name);
    if (named.empty()) {
        if (denies.is_harmless(name)) {
            say(fmt::format("the rule `{}` denies nothing, so there is nothing to allow", name));
        } else {
            say(fmt::format("no deny of the loaded policies and catalogs is called `{}`", name),
                denies.meant(name));
        }
        return;
    }
    const std::string first = named.front()->title;
    named.erase(
        std::remove_if(named.begin(), named.end(),
                       [&](const Deny* deny) { return deny->layer >= checked.rule->layer; }),
        named.end());
    if (named.empty()) {
        say(fmt::format("{} is not of a weaker layer than this rule, so this cannot allow it",
                        first));
        return;
    }
    if (std::all_of(named.begin(), named.end(), [&](const Deny* deny) {
            return deny->conditions && disjoint(*deny->conditions, checked.conditions);
        })) {
        say(fmt::format("{} never denies where this rule holds", named.front()->title));
    }
}

/// Options that stand before a rule, each once.
class EarlierOptions {
  public:
    void add(const Option& option) {
        if (seen_.insert(option.written).second) {
            options_.push_back(option);
        }
    }
    bool any_named_by(const std::string& removal) const {
        return std::any_of(options_.begin(), options_.end(), [&](const Option& option) {
            // What a template becomes may have this name.
            const bool is_open =
                option.is_template && option.written.find("${") < option.written.find('=');
            return is_open || removes(removal, option);
        });
    }

  private:
    std::vector<Option> options_;
    std::set<std::string> seen_;
};

void add_options_of(const catalog::Catalog& catalog, EarlierOptions& options) {
    for (const catalog::Module& module : catalog.modules()) {
        if (!module.language.empty()) {
            options.add(Option("-std=" + module.language, module.origin.str()));
        }
        for (const catalog::Setting& define : module.defines) {
            options.add(Option("-D" + define.value, define.origin.str()));
        }
        for (const catalog::Setting& option : module.options) {
            options.add(Option(option.value, option.origin.str()));
        }
    }
}

void check_removals(const CheckedPolicy& policy, const catalog::Catalog* catalog,
                    Findings& findings) {
    EarlierOptions earlier;
    bool modules_are_in = false;
    for (const CheckedRule& checked : policy.rules) {
        const bool behind_modules = checked.rule->layer > Layer::library;
        if (behind_modules && !modules_are_in && catalog != nullptr) {
            add_options_of(*catalog, earlier);
            modules_are_in = true;
        }
        const bool all_known = !behind_modules || catalog != nullptr;
        for (const base::YamlNode& item : checked.node["set"]["remove"].items()) {
            if (all_known && !earlier.any_named_by(item.text())) {
                findings.warnings.push_back(finding_at(
                    item, checked.rule->name,
                    fmt::format("no weaker rule and no module sets `{}`, so there is nothing to "
                                "remove",
                                item.text())));
            }
        }
        for (const Option& option : checked.rule->set.options) {
            earlier.add(option);
        }
    }
}

} // namespace

void find_idle_names(const CheckedPolicy& policy, const catalog::Catalog* catalog,
                     std::span<const std::string> experiments, Findings& findings) {
    const Denies denies(policy, catalog);
    for (const CheckedRule& checked : policy.rules) {
        for (const base::YamlNode& item : checked.node["allow"]["rule"].items()) {
            check_allow(checked, item, denies, catalog != nullptr, findings);
        }
    }
    check_removals(policy, catalog, findings);
    for (const std::string& glob : experiments) {
        const bool is_known =
            std::any_of(policy.rules.begin(), policy.rules.end(), [&](const CheckedRule& checked) {
                return !checked.rule->experimental.empty() &&
                       base::glob_match(glob, checked.rule->name);
            });
        if (!is_known) {
            findings.warnings.push_back(
                {"experiments", {}, fmt::format("no experimental rule is called `{}`", glob), {}});
        }
    }
}

} // namespace kiln::policy
