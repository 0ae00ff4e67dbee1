// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toolkit/version.h"

#include <kiln/arch.h>

#include <compare>
#include <string>
#include <string_view>
#include <vector>

/// The ranges of a catalog's `needs` and a policy's `match`, parsed once.
///
/// A list (comma, or a YAML list) holds where one of its terms holds; comparators separated by
/// blanks must all hold. Terms of a list must not overlap: `>=10.0, <11.0` would hold always, and
/// is refused with the spelling that was meant (`>=10.0 <11.0`).
namespace kiln::catalog {

/// A half-open stretch of numbers.
struct Interval {
    long from = 0;
    long to = 0; ///< not in it
    auto operator<=>(const Interval&) const = default;
};

/// `12.0`, `>=9.0`, `<9.0`, `>=9.0 <12.0`, `10.0..10.3` (both ends in it), and `10.0f`: the family
/// of 10.0 from that minor upwards.
class CapabilityRanges {
  public:
    /// Throws Error(usage) that names the term.
    static CapabilityRanges parse(const std::vector<std::string>& terms);
    static CapabilityRanges parse(std::string_view terms) {
        return parse(std::vector<std::string>{std::string(terms)});
    }
    bool contains(ComputeCapability capability) const noexcept;
    /// Sorted, apart from one another; of `ComputeCapability::number`.
    const std::vector<Interval>& intervals() const noexcept { return intervals_; }

  private:
    std::vector<Interval> intervals_;
};

/// `12.9`, `>=12.9`, `<13.0`, `>=12.8 <13.0`, `12.8..12.9`. A version is compared as exactly as the
/// range is written: 12.9.86 is `12.9`, is `<=12.9`, and is not `>12.9`.
class VersionRanges {
  public:
    /// Throws Error(usage) that names the term.
    static VersionRanges parse(const std::vector<std::string>& terms);
    static VersionRanges parse(std::string_view terms) {
        return parse(std::vector<std::string>{std::string(terms)});
    }
    bool contains(const toolkit::Version& version) const noexcept;
    /// Sorted, apart from one another; of `(major * 1000 + minor) * 1000 + patch`.
    const std::vector<Interval>& intervals() const noexcept { return intervals_; }

  private:
    std::vector<Interval> intervals_;
};

} // namespace kiln::catalog
