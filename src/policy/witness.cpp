// SPDX-License-Identifier: Apache-2.0
#include "policy/witness.h"

#include "policy/circumstances.h"
#include "toolkit/target_history.h"

#include <algorithm>

namespace kiln::policy {
namespace {

/// What is not made up here.
bool asks_for_more(const Match& match) {
    return match.device || match.driver || !match.targets.empty();
}

bool asks_for_more(const Rule& rule) {
    return asks_for_more(rule.match) || (rule.unless && asks_for_more(*rule.unless));
}

std::optional<std::string> find(const Circumstances::Values& values, std::string_view name) {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : found->second;
}

/// Calls `visit` with the facts of every combination until it says false.
template <typename Visit>
void for_each(const Circumstances& all, Visit visit) {
    const Circumstances::Values* environment = nullptr;
    const Circumstances::Values* variables = nullptr;
    const Circumstances::Values* headers = nullptr;
    Surroundings surroundings;
    surroundings.environment = [&](std::string_view name) { return find(*environment, name); };
    surroundings.variable = [&](std::string_view name) { return find(*variables, name); };
    surroundings.header = [&](const catalog::Instance&, std::string_view name) {
        return find(*headers, name);
    };
    const Variables none;
    for (const auto& instance : all.instances) {
        for (const auto& archs : all.archs) {
            for (const auto& toolkit : all.toolkits) {
                for (const Backend backend : all.backends) {
                    for (const auto& one : all.environments) {
                        environment = &one;
                        for (const auto& two : all.variables) {
                            variables = &two;
                            for (const auto& three : all.headers) {
                                headers = &three;
                                if (!visit(Facts{instance, archs.front(), archs, toolkit,
                                                 surroundings, none, backend, std::nullopt})) {
                                    return;
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

} // namespace

Witnesses::Witnesses(const catalog::Catalog& catalog) : catalog_(catalog) {
    source_.name = "kernel.cu";
    source_.origin = {"request", 0, 0};
    for (int number = 10; number < 1000; ++number) {
        const auto capability = ComputeCapability::from_number(number);
        if (!toolkit::toolkits_with({capability, Suffix::none, TargetKind::real}).empty()) {
            capabilities_.push_back(capability);
        }
    }
}

bool Witnesses::overlap_in_part(const CheckedRule& a, const CheckedRule& b,
                                std::span<const CheckedRule* const> later) {
    if (trials_ > most_trials || asks_for_more(*a.rule) || asks_for_more(*b.rule)) {
        return false;
    }
    const Circumstances all(a, b, catalog_, source_, capabilities_);
    bool both = false;
    bool first_alone = false;
    bool second_alone = false;
    for_each(all, [&](const Facts& facts) {
        ++trials_;
        const bool first = a.rule->holds(facts);
        const bool second = b.rule->holds(facts);
        first_alone = first_alone || (first && !second);
        second_alone = second_alone || (second && !first);
        if (first && second && !both) {
            trials_ += later.size();
            both = std::none_of(later.begin(), later.end(), [&facts](const CheckedRule* rule) {
                return asks_for_more(*rule->rule) || rule->rule->holds(facts);
            });
        }
        return trials_ <= most_trials && !(both && first_alone && second_alone);
    });
    return both && first_alone && second_alone;
}

} // namespace kiln::policy
