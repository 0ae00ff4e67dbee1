// SPDX-License-Identifier: Apache-2.0
#include "policy/circumstances.h"

#include <algorithm>
#include <array>
#include <set>

namespace kiln::policy {
namespace {

/// So that the product of all kinds stays small.
constexpr std::size_t most_modules = 3; ///< of each sort
constexpr std::size_t most_values = 6;  ///< of a parameter or a variable
constexpr std::size_t most_combinations = 48;

/// The conditions of both rules, `unless` included.
std::vector<const Terms*> terms_of(const CheckedRule& a, const CheckedRule& b) {
    std::vector<const Terms*> terms;
    for (const CheckedRule* rule : {&a, &b}) {
        terms.push_back(&rule->conditions.match);
        if (rule->conditions.unless) {
            terms.push_back(&*rule->conditions.unless);
        }
    }
    return terms;
}

template <typename T>
void add_once(std::vector<T>& values, const T& value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) {
        values.push_back(value);
    }
}

/// Every combination of one value a name, up to a number.
std::vector<Circumstances::Values>
product(const std::map<std::string, std::vector<std::optional<std::string>>>& choices) {
    std::vector<Circumstances::Values> all{{}};
    for (const auto& [name, values] : choices) {
        std::vector<Circumstances::Values> next;
        for (const Circumstances::Values& one : all) {
            for (const auto& value : values) {
                if (next.size() < most_combinations) {
                    next.push_back(one);
                    next.back()[name] = value;
                }
            }
        }
        all = std::move(next);
    }
    return all;
}

std::vector<Circumstances::Values>
values_of(const std::vector<const Terms*>& terms,
          const std::vector<VariableCondition> Match::*conditions) {
    std::map<std::string, std::vector<std::optional<std::string>>> choices;
    for (const Terms* one : terms) {
        for (const VariableCondition& condition : one->match->*conditions) {
            auto& values = choices[condition.name];
            add_once(values, std::optional<std::string>());
            const auto samples = condition.comparison ? condition.comparison->samples()
                                                      : std::vector<std::string>{"1"};
            for (const std::string& sample : samples) {
                if (values.size() < most_values) {
                    add_once(values, std::optional(sample));
                }
            }
        }
    }
    return product(choices);
}

std::vector<Circumstances::Values> headers_of(const std::vector<const Terms*>& terms) {
    Circumstances::Values full;
    for (const Terms* one : terms) {
        for (const HeaderCondition& condition : one->match->headers) {
            auto& text = full[condition.header];
            text = text.value_or("") + condition.text + "\n";
        }
    }
    // All of them there, none, and each alone.
    std::vector<Circumstances::Values> all{full, {}};
    for (const Terms* one : terms) {
        for (const HeaderCondition& condition : one->match->headers) {
            all.push_back({{condition.header, condition.text}});
        }
    }
    if (full.empty()) {
        all.resize(1);
    }
    return all;
}

std::vector<toolkit::Version> toolkits_of(const std::vector<const Terms*>& terms) {
    std::vector<toolkit::Version> versions{{13, 0, 0}};
    const auto add = [&versions](long number) {
        const long minor = number / 1000;
        if (minor >= 11'000 && minor < 99'000) { // CUDA 11.0 and what may come
            add_once(versions, toolkit::Version{static_cast<int>(minor / 1000),
                                                static_cast<int>(minor % 1000), 0});
        }
    };
    for (const Terms* one : terms) {
        if (one->match->toolkit) {
            for (const catalog::Interval& interval : one->match->toolkit->intervals()) {
                add(interval.from);
                add(interval.from - 1000);
                add(interval.to);
            }
        }
    }
    return versions;
}

std::vector<std::vector<ArchRequest>> archs_of(const CheckedRule& a, const CheckedRule& b,
                                               const std::vector<const Terms*>& terms,
                                               std::span<const ComputeCapability> capabilities) {
    std::vector<ArchRequest> asked;
    const auto add = [&](std::vector<ArchRequest>& to, const ArchSet& set) {
        for (const ArchRequest& arch : set.samples(capabilities)) {
            add_once(to, arch);
        }
    };
    const ArchSet& first = a.conditions.archs;
    const ArchSet& second = b.conditions.archs;
    add(asked, first.both(second));
    add(asked, first.without(second));
    add(asked, second.without(first));
    std::vector<ArchRequest> beside;
    for (const Terms* one : terms) {
        if (one->any) {
            add(beside, *one->any);
        }
    }
    std::vector<std::vector<ArchRequest>> lists;
    for (const ArchRequest& arch : asked) {
        lists.push_back({arch});
        for (const ArchRequest& other : beside) {
            lists.push_back({arch, other});
        }
        if (beside.size() > 1) {
            lists.push_back({arch});
            lists.back().insert(lists.back().end(), beside.begin(), beside.end());
        }
    }
    return lists;
}

bool fits(const catalog::Module& module, const Match& match) {
    return (match.modules.empty() || match.modules.contain(module.name)) &&
           (match.tags.empty() ||
            std::any_of(match.tags.begin(), match.tags.end(), [&module](const auto& tag) {
                return std::find(module.tags.begin(), module.tags.end(), tag) != module.tags.end();
            }));
}

/// Instances of one module with the values that the rules name.
void add_instances(std::vector<catalog::Instance>& instances, const catalog::Catalog& catalog,
                   const catalog::Module& module, const std::vector<const Terms*>& terms) {
    std::map<std::string, std::vector<std::optional<std::string>>> choices;
    for (const catalog::Parameter& parameter : module.parameters) {
        for (const Terms* one : terms) {
            for (const ParameterCondition& condition : one->match->parameters) {
                if (condition.first != parameter.name && condition.second != parameter.name) {
                    continue;
                }
                auto& values = choices[parameter.name];
                const auto add = [&](const std::string& text) {
                    const auto value = parameter.accept(text);
                    if (value && values.size() < most_values) {
                        add_once(values, value);
                    }
                };
                for (const std::string& sample : condition.comparison.samples()) {
                    add(sample);
                }
                for (const std::string& value : parameter.values) {
                    add(value);
                }
            }
        }
    }
    for (const Circumstances::Values& values : product(choices)) {
        std::map<std::string, std::string> given;
        for (const auto& [name, value] : values) {
            given.emplace(name, *value);
        }
        try {
            instances.push_back(catalog.instance(module, given));
        } catch (const Error&) {
            // The catalog excludes this combination.
        }
    }
}

std::vector<catalog::Instance> instances_of(const CheckedRule& a, const CheckedRule& b,
                                            const catalog::Catalog& catalog,
                                            const catalog::Module& source,
                                            const std::vector<const Terms*>& terms) {
    std::vector<catalog::Instance> instances{{&source, {}}};
    // Of each sort: taken by both, by one, by none; and those that an `unless` names apart.
    std::map<std::vector<bool>, std::size_t> taken;
    for (const catalog::Module& module : catalog.modules()) {
        std::vector<bool> sort;
        for (const Terms* one : terms) {
            sort.push_back(fits(module, *one->match));
        }
        const bool is_idle = !fits(module, a.rule->match) && !fits(module, b.rule->match);
        if (!is_idle && ++taken[sort] <= most_modules) {
            add_instances(instances, catalog, module, terms);
        }
    }
    return instances;
}

std::vector<Backend> backends_of(const std::vector<const Terms*>& terms) {
    const bool is_asked = std::any_of(
        terms.begin(), terms.end(), [](const Terms* one) { return !one->match->backends.empty(); });
    return is_asked ? std::vector{Backend::nvrtc, Backend::nvcc} : std::vector{Backend::nvcc};
}

} // namespace

Circumstances::Circumstances(const CheckedRule& a, const CheckedRule& b,
                             const catalog::Catalog& catalog, const catalog::Module& source,
                             std::span<const ComputeCapability> capabilities) {
    const auto terms = terms_of(a, b);
    instances = instances_of(a, b, catalog, source, terms);
    archs = archs_of(a, b, terms, capabilities);
    toolkits = toolkits_of(terms);
    backends = backends_of(terms);
    environments = values_of(terms, &Match::environment);
    variables = values_of(terms, &Match::variables);
    headers = headers_of(terms);
}

} // namespace kiln::policy
