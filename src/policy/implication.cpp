// SPDX-License-Identifier: Apache-2.0
#include "policy/implication.h"

#include "policy/overlap.h"

#include <algorithm>

namespace kiln::policy {
namespace {

/// What is known to hold: one or two sets of terms, for an arch of `archs`.
struct Known {
    const ArchSet& archs;
    const Terms* first;
    const Terms* second = nullptr;

    /// Whether one of the sets meets the test.
    template <typename Test>
    bool any_terms(Test test) const {
        return test(*first) || (second != nullptr && test(*second));
    }
    template <typename Test>
    bool any(Test test) const {
        return any_terms([&test](const Terms& terms) { return test(*terms.match); });
    }
};

bool device_implied(const Known& known, const DeviceMatch& wanted) {
    return known.any(
        [&](const Match& match) { return match.device && covers(wanted, *match.device); });
}

/// Whether `wanted` holds wherever all that is known holds.
bool implied(const Known& known, const Terms& wanted) {
    const Match& match = *wanted.match;
    const auto from_lists = [&](const auto& conditions, const auto Match::*list) {
        return std::all_of(conditions.begin(), conditions.end(), [&](const auto& condition) {
            return known.any([&](const Match& one) {
                return std::any_of((one.*list).begin(), (one.*list).end(),
                                   [&](const auto& given) { return covers(condition, given); });
            });
        });
    };
    const auto some_arch = [&] {
        return known.archs.within(*wanted.any) || known.any_terms([&](const Terms& one) {
            return one.any && one.any->within(*wanted.any);
        });
    };
    return (match.modules.empty() || known.any([&](const Match& one) {
               return !one.modules.empty() && covers(match.modules, one.modules);
           })) &&
           (match.tags.empty() || known.any([&](const Match& one) {
               return !one.tags.empty() && covers(match.tags, one.tags);
           })) &&
           known.archs.within(wanted.archs) && (!wanted.any || some_arch()) &&
           (!match.toolkit || known.any([&](const Match& one) {
               return one.toolkit && covers(*match.toolkit, *one.toolkit);
           })) &&
           (!match.driver || known.any([&](const Match& one) {
               return one.driver && covers(*match.driver, *one.driver);
           })) &&
           (match.backends.empty() || known.any([&](const Match& one) {
               return !one.backends.empty() && covers(match.backends, one.backends);
           })) &&
           (match.targets.empty() || known.any([&](const Match& one) {
               return !one.targets.empty() && covers(match.targets, one.targets);
           })) &&
           (!match.device || device_implied(known, *match.device)) &&
           from_lists(match.parameters, &Match::parameters) &&
           from_lists(match.environment, &Match::environment) &&
           from_lists(match.variables, &Match::variables) &&
           from_lists(match.headers, &Match::headers);
}

/// Whether two sets of conditions, arches apart, exclude each other.
bool exclude_each_other(const Match& a, const Match& b) {
    const auto lists = [&](const auto Match::*list) {
        return std::any_of((a.*list).begin(), (a.*list).end(), [&](const auto& one) {
            return std::any_of((b.*list).begin(), (b.*list).end(),
                               [&](const auto& other) { return excludes(one, other); });
        });
    };
    return (!a.modules.empty() && !b.modules.empty() && excludes(a.modules, b.modules)) ||
           (a.toolkit && b.toolkit && excludes(*a.toolkit, *b.toolkit)) ||
           (a.driver && b.driver && excludes(*a.driver, *b.driver)) ||
           (!a.backends.empty() && !b.backends.empty() && excludes(a.backends, b.backends)) ||
           (!a.targets.empty() && !b.targets.empty() && excludes(a.targets, b.targets)) ||
           (a.device && b.device && excludes(*a.device, *b.device)) || lists(&Match::parameters) ||
           lists(&Match::environment) || lists(&Match::variables);
}

bool asks_for_the_arch_alone(const Match& match) {
    return match.modules.empty() && match.tags.empty() && !match.any_arch &&
           match.parameters.empty() && !match.toolkit && !match.driver && !match.device &&
           match.environment.empty() && match.variables.empty() && match.headers.empty() &&
           match.backends.empty() && match.targets.empty();
}

std::optional<Terms> terms_of(const std::optional<Match>& match) {
    return match ? std::optional<Terms>(*match) : std::nullopt;
}

} // namespace

Terms::Terms(const Match& conditions)
    : match(&conditions), archs(conditions.arch),
      any(conditions.any_arch ? std::optional<ArchSet>(*conditions.any_arch) : std::nullopt) {}

Conditions::Conditions(const Match& given, const std::optional<Match>& excluded)
    : match(given), unless(terms_of(excluded)), archs(match.archs),
      stage(excluded ? std::max(given.stage(), excluded->stage()) : given.stage()) {
    if (unless && asks_for_the_arch_alone(*unless->match)) {
        archs = archs.without(unless->archs);
    }
}

std::string contradiction(const Conditions& conditions) {
    if (conditions.match.archs.empty()) {
        return "its conditions on the arch exclude one another";
    }
    if (conditions.match.any && conditions.match.any->empty()) {
        return "the conditions of its `any_arch` exclude one another";
    }
    if (conditions.unless &&
        (conditions.archs.empty() ||
         implied({conditions.match.archs, &conditions.match}, *conditions.unless))) {
        return "its `unless` covers all of its `match`";
    }
    return {};
}

bool implies(const Conditions& a, const Conditions& b) {
    if (b.stage > a.stage || !implied({a.archs, &a.match}, b.match)) {
        return false;
    }
    if (!b.unless) {
        return true;
    }
    const ArchSet common = a.archs.both(b.unless->archs);
    return common.empty() || exclude_each_other(*a.match.match, *b.unless->match) ||
           (a.unless && implied({common, &a.match, &*b.unless}, *a.unless));
}

bool disjoint(const Conditions& a, const Conditions& b) {
    if (exclude_each_other(*a.match.match, *b.match.match)) {
        return true;
    }
    const ArchSet common = a.archs.both(b.archs);
    const Known known{common, &a.match, &b.match};
    return common.empty() || (a.unless && implied(known, *a.unless)) ||
           (b.unless && implied(known, *b.unless));
}

} // namespace kiln::policy
