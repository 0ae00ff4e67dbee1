// SPDX-License-Identifier: Apache-2.0
#include "policy/comparison.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace kiln::policy {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> bytes_of(std::string_view text) noexcept {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 3> units{
        {{"KiB", 1LL << 10}, {"MiB", 1LL << 20}, {"GiB", 1LL << 30}}};
    for (const auto& [unit, factor] : units) {
        if (text.ends_with(unit)) {
            const auto number = integer_of(text.substr(0, text.size() - unit.size()));
            return number && *number >= 0 && *number <= highest / factor
                       ? std::optional(*number * factor)
                       : std::nullopt;
        }
    }
    return integer_of(text);
}

class Reader {
  public:
    Reader(const base::YamlNode& node, Comparison::Unit unit) : node_(node), unit_(unit) {}

    /// The numbers that one comparator (`<32`, `64..256`) covers; nothing for a plain text.
    std::optional<std::pair<std::int64_t, std::int64_t>> comparator(std::string_view text) const {
        if (text.starts_with(">=")) {
            return std::pair(number(text.substr(2)), highest);
        }
        if (text.starts_with("<=")) {
            return std::pair(lowest, number(text.substr(2)));
        }
        if (text.starts_with('>')) {
            const auto value = number(text.substr(1));
            return std::pair(value == highest ? value : value + 1, highest);
        }
        if (text.starts_with('<')) {
            const auto value = number(text.substr(1));
            return std::pair(lowest, value == lowest ? value : value - 1);
        }
        const auto dots = text.find("..");
        if (dots != std::string_view::npos && value(text.substr(0, dots)) &&
            value(text.substr(dots + 2))) {
            return std::pair(*value(text.substr(0, dots)), *value(text.substr(dots + 2)));
        }
        return std::nullopt;
    }

    std::optional<std::int64_t> value(std::string_view text) const {
        return unit_ == Comparison::Unit::bytes ? bytes_of(text) : integer_of(text);
    }

  private:
    std::int64_t number(std::string_view text) const {
        if (const auto found = value(text)) {
            return *found;
        }
        throw node_.error(fmt::format("`{}` is not a number to compare with", text),
                          "write `<32`, `>=64 <=256`, `64..256`, a value, or a list of values");
    }

    const base::YamlNode& node_;
    Comparison::Unit unit_;
};

std::string normal(std::string_view text) {
    if (text == "True") {
        return "true";
    }
    return text == "False" ? "false" : std::string(text);
}

} // namespace

std::optional<std::int64_t> integer_of(std::string_view text) noexcept {
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc{} && end == text.data() + text.size() && !text.empty()
               ? std::optional(number)
               : std::nullopt;
}

Comparison Comparison::parse(const base::YamlNode& node, Unit unit) {
    Comparison comparison;
    for (const base::YamlNode& item : node.items()) {
        const std::string text = item.text();
        const Reader reader(item, unit);
        Term term{normal(text), std::nullopt};
        std::optional<Range> all;
        bool plain = false;
        for (const auto part : base::split(text, ' ')) {
            if (part.empty()) {
                continue;
            }
            if (const auto one = reader.comparator(part)) {
                all = all ? Range{std::max(all->from, one->first), std::min(all->to, one->second)}
                          : Range{one->first, one->second};
            } else {
                plain = true;
            }
        }
        if (plain && all) {
            throw item.error(fmt::format("`{}` mixes a value and a comparison", text));
        }
        if (all && all->from > all->to) {
            throw item.error(fmt::format("`{}` holds for no number", text));
        }
        if (!all) {
            if (const auto number = reader.value(text)) {
                all = Range{*number, *number};
            } else if (unit == Unit::bytes) {
                throw item.error(fmt::format("`{}` is no size", text),
                                 "write `>=40GiB`, `<227KiB`, or bytes");
            }
        }
        term.range = all;
        comparison.terms_.push_back(std::move(term));
    }
    if (comparison.terms_.empty()) {
        throw node.error("an empty list holds for nothing");
    }
    return comparison;
}

bool Comparison::holds(std::string_view value) const {
    if (const auto number = integer_of(value)) {
        return holds(*number);
    }
    const std::string text = normal(value);
    return std::any_of(terms_.begin(), terms_.end(),
                       [&](const Term& term) { return !term.range && term.text == text; });
}

bool Comparison::holds(std::int64_t value) const {
    return std::any_of(terms_.begin(), terms_.end(), [value](const Term& term) {
        return term.range && term.range->from <= value && value <= term.range->to;
    });
}

bool Comparison::covers(const Comparison& other) const {
    std::vector<Range> ranges;
    for (const Term& term : terms_) {
        if (term.range) {
            ranges.push_back(*term.range);
        }
    }
    std::sort(ranges.begin(), ranges.end(),
              [](const Range& a, const Range& b) { return a.from < b.from; });
    return std::all_of(other.terms_.begin(), other.terms_.end(), [&](const Term& wanted) {
        if (!wanted.range) {
            return std::any_of(terms_.begin(), terms_.end(), [&](const Term& term) {
                return !term.range && term.text == wanted.text;
            });
        }
        std::int64_t open = wanted.range->from; // nothing below it is left to cover
        for (const Range& range : ranges) {
            if (range.from <= open && open <= range.to) {
                if (range.to >= wanted.range->to) {
                    return true;
                }
                open = range.to + 1;
            }
        }
        return false;
    });
}

bool Comparison::overlaps(const Comparison& other) const {
    return std::any_of(terms_.begin(), terms_.end(), [&](const Term& a) {
        return std::any_of(other.terms_.begin(), other.terms_.end(), [&](const Term& b) {
            return a.range && b.range ? a.range->from <= b.range->to && b.range->from <= a.range->to
                                      : !a.range && !b.range && a.text == b.text;
        });
    });
}

std::vector<std::string> Comparison::samples() const {
    std::vector<std::string> values;
    for (const Term& term : terms_) {
        if (!term.range) {
            values.push_back(term.text);
            continue;
        }
        for (const auto end : {term.range->from, term.range->to}) {
            if (end != lowest && end != highest) {
                values.push_back(std::to_string(end));
                values.push_back(std::to_string(end + 1));
                values.push_back(std::to_string(end - 1));
            }
        }
    }
    return values;
}

ParameterCondition ParameterCondition::parse(const base::YamlNode::Entry& entry) {
    const auto star = entry.key.find('*');
    ParameterCondition condition{std::string(base::trim(entry.key.substr(0, star))), {}, {}};
    if (star != std::string::npos) {
        condition.second = base::trim(entry.key.substr(star + 1));
    }
    if (condition.first.empty() || condition.second.find('*') != std::string::npos ||
        (star != std::string::npos && condition.second.empty())) {
        throw entry.value->error(
            fmt::format("`{}` is no parameter and no product of two", entry.key),
            "write `head_dim` or `q_len*group`");
    }
    condition.comparison = Comparison::parse(*entry.value);
    return condition;
}

} // namespace kiln::policy
