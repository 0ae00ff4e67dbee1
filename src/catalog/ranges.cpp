// SPDX-License-Identifier: Apache-2.0
#include "catalog/ranges.h"

#include "base/text.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace kiln::catalog {
namespace {

constexpr long lowest = std::numeric_limits<long>::min();
constexpr long highest = std::numeric_limits<long>::max();

/// What one written value covers: `12.0` exactly one number, a version of two parts a thousand.
using ParseValue = std::optional<Interval> (*)(std::string_view);

struct Grammar {
    ParseValue value;
    /// Parses a term that stands alone, such as `10.0f`; may be null.
    std::optional<std::vector<Interval>> (*special)(std::string_view);
    const char* what;
    const char* examples;
};

[[noreturn]] void fail(const Grammar& grammar, std::string_view term) {
    throw Error(ErrorCode::usage, fmt::format("`{}` is not a {} range", term, grammar.what),
                fmt::format("write {}", grammar.examples));
}

Interval value_of(const Grammar& grammar, std::string_view text, std::string_view term) {
    const auto value = grammar.value(text);
    if (!value) {
        fail(grammar, term);
    }
    return *value;
}

Interval comparator(const Grammar& grammar, std::string_view text, std::string_view term) {
    const auto rest = [&](std::size_t skip) { return value_of(grammar, text.substr(skip), term); };
    if (text.starts_with(">=")) {
        return {rest(2).from, highest};
    }
    if (text.starts_with("<=")) {
        return {lowest, rest(2).to};
    }
    if (text.starts_with(">")) {
        return {rest(1).to, highest};
    }
    if (text.starts_with("<")) {
        return {lowest, rest(1).from};
    }
    if (const auto dots = text.find(".."); dots != std::string_view::npos) {
        return {value_of(grammar, text.substr(0, dots), term).from,
                value_of(grammar, text.substr(dots + 2), term).to};
    }
    return rest(0);
}

/// One term: comparators that must all hold.
std::vector<Interval> parse_term(const Grammar& grammar, std::string_view term) {
    if (grammar.special != nullptr) {
        if (auto special = grammar.special(term)) {
            return *special;
        }
    }
    Interval all{lowest, highest};
    bool any = false;
    for (const auto part : base::split(term, ' ')) {
        if (part.empty()) {
            continue;
        }
        const Interval one = comparator(grammar, part, term);
        all = {std::max(all.from, one.from), std::min(all.to, one.to)};
        any = true;
    }
    if (!any) {
        fail(grammar, term);
    }
    if (all.from >= all.to) {
        throw Error(ErrorCode::usage,
                    fmt::format("the {} range `{}` holds nothing", grammar.what, term));
    }
    return {all};
}

std::vector<Interval> parse_list(const Grammar& grammar, const std::vector<std::string>& list) {
    std::vector<std::pair<Interval, std::string_view>> found;
    for (const std::string& item : list) {
        for (const auto part : base::split(item, ',')) {
            const auto term = base::trim(part);
            for (const Interval& interval : parse_term(grammar, term)) {
                for (const auto& [other, other_term] : found) {
                    if (interval.from < other.to && other.from < interval.to) {
                        throw Error(
                            ErrorCode::usage,
                            fmt::format("the {} ranges `{}` and `{}` overlap, and a list "
                                        "holds where one of them does",
                                        grammar.what, other_term, term),
                            fmt::format("for both at once write `{} {}`", other_term, term));
                    }
                }
                found.emplace_back(interval, term);
            }
        }
    }
    std::vector<Interval> intervals;
    for (const auto& [interval, term] : found) {
        intervals.push_back(interval);
    }
    std::sort(intervals.begin(), intervals.end());
    return intervals;
}

bool holds(const std::vector<Interval>& intervals, long number) noexcept {
    return std::any_of(intervals.begin(), intervals.end(), [number](const Interval& interval) {
        return interval.from <= number && number < interval.to;
    });
}

std::optional<ComputeCapability> capability_of(std::string_view text) {
    try {
        return ComputeCapability::parse(text);
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::optional<Interval> capability_value(std::string_view text) {
    const auto capability = capability_of(text);
    if (!capability) {
        return std::nullopt;
    }
    return Interval{capability->number(), capability->number() + 1};
}

std::optional<std::vector<Interval>> family_term(std::string_view text) {
    if (!text.ends_with('f')) {
        return std::nullopt;
    }
    const auto first = capability_of(text.substr(0, text.size() - 1));
    if (!first) {
        return std::nullopt;
    }
    std::vector<Interval> members;
    for (auto next = *first; next.minor <= 9; ++next.minor) {
        if (next.family() == first->family()) {
            members.push_back({next.number(), next.number() + 1});
        }
    }
    return members;
}

constexpr long version_number(const toolkit::Version& version) noexcept {
    return (version.major * 1000L + version.minor) * 1000L + version.patch;
}

std::optional<Interval> version_value(std::string_view text) {
    const auto version = toolkit::Version::parse(text);
    if (!version || version->minor > 999 || version->patch > 999) {
        return std::nullopt;
    }
    const auto dots = std::count(text.begin(), text.end(), '.');
    const long width = dots == 2 ? 1 : dots == 1 ? 1000 : 1'000'000;
    const long from = version_number(*version);
    return Interval{from, from + width};
}

constexpr Grammar capabilities{capability_value, family_term, "capability",
                               "`12.0`, `>=9.0`, `>=9.0 <12.0`, `10.0..10.3` or `10.0f`, separated "
                               "by commas"};
constexpr Grammar versions{version_value, nullptr, "version",
                           "`12.9`, `>=12.9`, `>=12.8 <13.0` or `12.8..12.9`, separated by commas"};

} // namespace

CapabilityRanges CapabilityRanges::parse(const std::vector<std::string>& terms) {
    CapabilityRanges ranges;
    ranges.intervals_ = parse_list(capabilities, terms);
    return ranges;
}

bool CapabilityRanges::contains(ComputeCapability capability) const noexcept {
    return holds(intervals_, capability.number());
}

VersionRanges VersionRanges::parse(const std::vector<std::string>& terms) {
    VersionRanges ranges;
    ranges.intervals_ = parse_list(versions, terms);
    return ranges;
}

bool VersionRanges::contains(const toolkit::Version& version) const noexcept {
    return holds(intervals_, version_number(version));
}

} // namespace kiln::catalog
