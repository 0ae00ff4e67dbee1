// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::policy {

/// What a value is held against: a text, a list of which one must be equal, or, for numbers, `<32`,
/// `>=128`, `>=64 <=256` (blanks mean and), `64..256`. Parsed once.
class Comparison {
  public:
    enum class Unit {
        number, ///< integers
        bytes   ///< `KiB`, `MiB`, `GiB` may follow a number
    };
    /// Throws Error(policy) with the location.
    static Comparison parse(const base::YamlNode& node, Unit unit = Unit::number);

    /// Numbers are compared as numbers (`08` is 8), other texts as they are; `true` and `True` are
    /// one. A text that is no number meets no comparison of numbers.
    bool holds(std::string_view value) const;
    bool holds(std::int64_t value) const;

    /// Whether every value that meets `other` meets this one.
    bool covers(const Comparison& other) const;
    /// Whether some value meets both.
    bool overlaps(const Comparison& other) const;
    /// Values about which comparisons decide differently: those named, and the neighbours of the
    /// ends of ranges.
    std::vector<std::string> samples() const;

  private:
    struct Range {
        std::int64_t from; ///< in it
        std::int64_t to;   ///< in it
    };
    struct Term {
        std::string text;
        std::optional<Range> range;
    };
    std::vector<Term> terms_; ///< one must hold
};

/// An integer as a whole text, or nothing.
std::optional<std::int64_t> integer_of(std::string_view text) noexcept;

/// Conditions on the parameters of an instance. A key is a parameter, or a product of two
/// (`q_len*group`); a parameter that the module does not have meets none.
struct ParameterCondition {
    std::string first;
    std::string second; ///< of a product, else empty
    Comparison comparison;

    /// Throws Error(policy) with the location.
    static ParameterCondition parse(const base::YamlNode::Entry& entry);
};

} // namespace kiln::policy
