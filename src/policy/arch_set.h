// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/match.h"

#include <bitset>
#include <cstddef>
#include <span>
#include <vector>

namespace kiln::policy {

/// Every arch that a list can name, as a bit: each capability twice, bare and written out. There
/// are few enough to compare conditions on them by trying all.
class ArchSet {
  public:
    /// Those that meet the conditions; without any condition, all.
    explicit ArchSet(const ArchMatch& match);

    bool empty() const noexcept { return bits_.none(); }
    bool within(const ArchSet& other) const noexcept { return (bits_ & ~other.bits_).none(); }
    bool meets(const ArchSet& other) const noexcept { return (bits_ & other.bits_).any(); }
    ArchSet both(const ArchSet& other) const noexcept { return ArchSet(bits_ & other.bits_); }
    ArchSet without(const ArchSet& other) const noexcept { return ArchSet(bits_ & ~other.bits_); }
    /// Its lowest and its highest of `known`, which is sorted: bare ones, or else written out.
    std::vector<ArchRequest> samples(std::span<const ComputeCapability> known) const;

  private:
    /// Majors have at most two digits, minors one.
    static constexpr std::size_t capabilities = 1000;
    using Bits = std::bitset<2 * capabilities>;

    explicit ArchSet(const Bits& bits) noexcept : bits_(bits) {}
    static ArchRequest request(std::size_t bit) noexcept;

    Bits bits_;
};

} // namespace kiln::policy
