// SPDX-License-Identifier: Apache-2.0
#include "policy/overlap.h"

#include "base/text.h"

#include <algorithm>
#include <string_view>

namespace kiln::policy {
namespace {

template <typename T>
bool contains(const std::vector<T>& values, const T& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

template <typename T>
bool share(const std::vector<T>& a, const std::vector<T>& b) {
    return std::any_of(a.begin(), a.end(), [&b](const T& value) { return contains(b, value); });
}

constexpr std::string_view wildcards = "*?";

/// What stands before the first wildcard, and behind the last.
std::string_view head(std::string_view glob) {
    return glob.substr(0, glob.find_first_of(wildcards));
}
std::string_view tail(std::string_view glob) {
    return glob.substr(glob.find_last_of(wildcards) + 1);
}

bool glob_covers(const std::string& wide, const std::string& narrow) {
    // `norm_*` covers whatever starts with `norm_`; of other globs only equality is sure.
    const bool is_prefix = wide.find_first_of(wildcards) + 1 == wide.size() && wide.back() == '*';
    return wide == narrow || (is_prefix && head(narrow).starts_with(head(wide)));
}

bool globs_exclude(const std::string& a, const std::string& b) {
    const auto length = std::min(head(a).size(), head(b).size());
    const auto behind = std::min(tail(a).size(), tail(b).size());
    return head(a).substr(0, length) != head(b).substr(0, length) ||
           tail(a).substr(tail(a).size() - behind) != tail(b).substr(tail(b).size() - behind);
}

bool contains_none_of(const Names& names, const std::vector<std::string>& exact) {
    return std::none_of(exact.begin(), exact.end(),
                        [&names](const std::string& name) { return names.contain(name); });
}

/// Half-open intervals, sorted and apart; neighbours that touch count as one.
bool cover(const std::vector<catalog::Interval>& wide, const catalog::Interval& narrow) {
    long open = narrow.from;
    for (const catalog::Interval& interval : wide) {
        if (interval.from <= open && open < interval.to) {
            open = interval.to;
        }
    }
    return open >= narrow.to;
}

bool same_pair(const ParameterCondition& a, const ParameterCondition& b) {
    return (a.first == b.first && a.second == b.second) ||
           (!a.second.empty() && a.first == b.second && a.second == b.first);
}

bool covers(const std::optional<Comparison>& wide, const std::optional<Comparison>& narrow) {
    return !wide || (narrow && wide->covers(*narrow));
}

bool excludes(const std::optional<Comparison>& a, const std::optional<Comparison>& b) {
    return a && b && !a->overlaps(*b);
}

} // namespace

bool covers(const Names& wide, const Names& narrow) {
    return std::all_of(narrow.exact().begin(), narrow.exact().end(),
                       [&](const std::string& name) { return wide.contain(name); }) &&
           std::all_of(narrow.globs().begin(), narrow.globs().end(), [&](const std::string& glob) {
               return std::any_of(
                   wide.globs().begin(), wide.globs().end(),
                   [&glob](const std::string& one) { return glob_covers(one, glob); });
           });
}

bool covers(const std::vector<std::string>& wide, const std::vector<std::string>& narrow) {
    return std::all_of(narrow.begin(), narrow.end(),
                       [&](const std::string& name) { return contains(wide, name); });
}

bool covers(const catalog::VersionRanges& wide, const catalog::VersionRanges& narrow) {
    return std::all_of(narrow.intervals().begin(), narrow.intervals().end(),
                       [&](const auto& interval) { return cover(wide.intervals(), interval); });
}

bool covers(const std::vector<Backend>& wide, const std::vector<Backend>& narrow) {
    return std::all_of(narrow.begin(), narrow.end(),
                       [&](Backend backend) { return contains(wide, backend); });
}

bool covers(const std::vector<catalog::TargetForm>& wide,
            const std::vector<catalog::TargetForm>& narrow) {
    return std::all_of(narrow.begin(), narrow.end(), [&](const catalog::TargetForm& form) {
        return std::any_of(wide.begin(), wide.end(), [&](const catalog::TargetForm& one) {
            return form.exact ? one.covers(*form.exact) : !one.exact && one.suffix == form.suffix;
        });
    });
}

bool covers(const DeviceMatch& wide, const DeviceMatch& narrow) {
    return (!wide.names || (narrow.names && covers(*wide.names, *narrow.names))) &&
           covers(wide.memory, narrow.memory) &&
           covers(wide.shared_memory_per_block, narrow.shared_memory_per_block) &&
           (!wide.integrated || wide.integrated == narrow.integrated);
}

bool covers(const ParameterCondition& wide, const ParameterCondition& narrow) {
    return same_pair(wide, narrow) && wide.comparison.covers(narrow.comparison);
}

bool covers(const VariableCondition& wide, const VariableCondition& narrow) {
    return wide.name == narrow.name && covers(wide.comparison, narrow.comparison);
}

bool covers(const HeaderCondition& wide, const HeaderCondition& narrow) {
    return wide.header == narrow.header && narrow.text.find(wide.text) != std::string::npos;
}

bool excludes(const Names& a, const Names& b) {
    return contains_none_of(a, b.exact()) && contains_none_of(b, a.exact()) &&
           std::all_of(a.globs().begin(), a.globs().end(), [&](const std::string& glob) {
               return std::all_of(
                   b.globs().begin(), b.globs().end(),
                   [&glob](const std::string& other) { return globs_exclude(glob, other); });
           });
}

bool excludes(const catalog::VersionRanges& a, const catalog::VersionRanges& b) {
    return std::none_of(a.intervals().begin(), a.intervals().end(), [&](const auto& one) {
        return std::any_of(b.intervals().begin(), b.intervals().end(), [&one](const auto& other) {
            return one.from < other.to && other.from < one.to;
        });
    });
}

bool excludes(const std::vector<Backend>& a, const std::vector<Backend>& b) {
    return !share(a, b);
}

bool excludes(const std::vector<catalog::TargetForm>& a,
              const std::vector<catalog::TargetForm>& b) {
    return std::none_of(a.begin(), a.end(), [&](const catalog::TargetForm& one) {
        return std::any_of(b.begin(), b.end(), [&one](const catalog::TargetForm& other) {
            return one.exact && other.exact ? other.covers(*one.exact) : one.suffix == other.suffix;
        });
    });
}

bool excludes(const DeviceMatch& a, const DeviceMatch& b) {
    return (a.names && b.names && excludes(*a.names, *b.names)) || excludes(a.memory, b.memory) ||
           excludes(a.shared_memory_per_block, b.shared_memory_per_block) ||
           (a.integrated && b.integrated && *a.integrated != *b.integrated);
}

bool excludes(const ParameterCondition& a, const ParameterCondition& b) {
    return same_pair(a, b) && !a.comparison.overlaps(b.comparison);
}

bool excludes(const VariableCondition& a, const VariableCondition& b) {
    return a.name == b.name && excludes(a.comparison, b.comparison);
}

} // namespace kiln::policy
