// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "policy/checked_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace kiln::policy {
namespace {

using Modules = std::vector<const catalog::Module*>;

std::string meant(std::string_view word, const std::vector<std::string>& known) {
    const auto name = base::nearest(word, known);
    return name ? fmt::format("did you mean `{}`?", *name) : std::string();
}

bool has_tag(const catalog::Module& module, const std::string& tag) {
    return std::find(module.tags.begin(), module.tags.end(), tag) != module.tags.end();
}

const catalog::Parameter* parameter_of(const catalog::Module& module, std::string_view name) {
    const auto found =
        std::find_if(module.parameters.begin(), module.parameters.end(),
                     [name](const catalog::Parameter& one) { return one.name == name; });
    return found == module.parameters.end() ? nullptr : &*found;
}

/// Whether a parameter has, or may be given, a value that meets the comparison.
bool can_meet(const catalog::Parameter& parameter, const Comparison& comparison) {
    const auto meets = [&comparison](const std::string& value) { return comparison.holds(value); };
    if (std::any_of(parameter.values.begin(), parameter.values.end(), meets)) {
        return true;
    }
    switch (parameter.type) {
    case catalog::Parameter::Type::listed:
        return false;
    case catalog::Parameter::Type::text:
        return true;
    case catalog::Parameter::Type::integer:
        break;
    }
    const auto samples = comparison.samples();
    return std::any_of(samples.begin(), samples.end(), [&](const std::string& value) {
        return meets(value) && integer_of(value).has_value();
    });
}

/// Holds the conditions of one `match:` or `unless:` against the catalog.
class Search {
  public:
    Search(const catalog::Catalog& catalog, Findings& findings) : findings_(findings) {
        for (const catalog::Module& module : catalog.modules()) {
            all_.push_back(&module);
            names_.push_back(module.name);
            tags_.insert(module.tags.begin(), module.tags.end());
        }
    }

    /// The modules of `within` that the conditions take; what names nothing is said.
    Modules match(const base::YamlNode& node, const Match& match, const Modules& within,
                  const std::string& rule) {
        rule_ = &rule;
        check_names(node["module"]);
        check_tags(node["tag"]);
        Modules taken;
        std::copy_if(
            within.begin(), within.end(), std::back_inserter(taken),
            [&match](const catalog::Module* module) {
                return (match.modules.empty() || match.modules.contain(module->name)) &&
                       (match.tags.empty() ||
                        std::any_of(match.tags.begin(), match.tags.end(),
                                    [&](const auto& tag) { return has_tag(*module, tag); }));
            });
        if (taken.empty()) {
            if (!match.modules.empty() && !match.tags.empty() && said_ == 0) {
                say(node, "no module of the loaded catalogs fits both `module` and `tag`", {});
            }
        } else {
            for (const auto& entry : node["parameters"].entries()) {
                check_parameter(entry, taken);
            }
        }
        said_ = 0;
        return taken;
    }

    const Modules& all() const noexcept { return all_; }

  private:
    void say(const base::YamlNode& node, std::string message, std::string hint) {
        ++said_;
        findings_.warnings.push_back(finding_at(node, *rule_, std::move(message), std::move(hint)));
    }

    void check_names(const base::YamlNode& node) {
        for (const base::YamlNode& item : node.items()) {
            const std::string text = item.text();
            const Names names({text});
            if (std::none_of(names_.begin(), names_.end(),
                             [&names](const std::string& name) { return names.contain(name); })) {
                say(item,
                    fmt::format("no module of the loaded catalogs {} `{}`",
                                names.globs().empty() ? "is called" : "fits", text),
                    meant(text, names_));
            }
        }
    }

    void check_tags(const base::YamlNode& node) {
        for (const base::YamlNode& item : node.items()) {
            if (tags_.find(item.text()) == tags_.end()) {
                say(item,
                    fmt::format("no module of the loaded catalogs has the tag `{}`", item.text()),
                    meant(item.text(), {tags_.begin(), tags_.end()}));
            }
        }
    }

    void check_parameter(const base::YamlNode::Entry& entry, const Modules& modules) {
        const ParameterCondition condition = ParameterCondition::parse(entry);
        for (const std::string& name : {condition.first, condition.second}) {
            if (name.empty()) {
                continue;
            }
            const bool is_known =
                std::any_of(modules.begin(), modules.end(), [&name](const catalog::Module* one) {
                    return parameter_of(*one, name) != nullptr;
                });
            if (!is_known) {
                std::set<std::string> known;
                for (const catalog::Module* module : modules) {
                    for (const catalog::Parameter& parameter : module->parameters) {
                        known.insert(parameter.name);
                    }
                }
                ++said_;
                findings_.warnings.push_back(
                    {entry.key_origin.with_column(), *rule_,
                     fmt::format("no module that this matches has the parameter `{}`", name),
                     meant(name, {known.begin(), known.end()})});
                return;
            }
        }
        if (condition.second.empty()) {
            for (const base::YamlNode& item : entry.value->items()) {
                check_value(item, condition.first, modules);
            }
        }
    }

    void check_value(const base::YamlNode& item, const std::string& name, const Modules& modules) {
        const Comparison comparison = Comparison::parse(item);
        std::set<std::string> known;
        for (const catalog::Module* module : modules) {
            if (const auto* parameter = parameter_of(*module, name); parameter != nullptr) {
                if (can_meet(*parameter, comparison)) {
                    return;
                }
                known.insert(parameter->values.begin(), parameter->values.end());
            }
        }
        const std::vector<std::string> values(known.begin(), known.end());
        const std::string near = meant(item.text(), values);
        say(item,
            fmt::format("`{}` is never `{}` in a module that this matches", name, item.text()),
            near.empty() ? "there is: " + base::join(values, ", ") : near);
    }

    Findings& findings_;
    Modules all_;
    std::vector<std::string> names_;
    std::set<std::string> tags_;
    const std::string* rule_ = nullptr;
    int said_ = 0; ///< of the conditions at hand
};

} // namespace

void find_strangers(const CheckedPolicy& policy, const catalog::Catalog& catalog,
                    Findings& findings) {
    Search search(catalog, findings);
    for (const CheckedRule& checked : policy.rules) {
        const Rule& rule = *checked.rule;
        const Modules taken =
            search.match(checked.node["match"], rule.match, search.all(), rule.name);
        if (rule.unless && !taken.empty()) {
            search.match(checked.node["unless"], *rule.unless, taken, rule.name);
        }
    }
    for (const ReadDocument& document : policy.documents) {
        const auto nodes = document.root["miscompiles"].items();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Miscompile& one = document.miscompiles[i];
            search.match(nodes[i]["match"], one.match, search.all(), one.name);
        }
    }
}

} // namespace kiln::policy
