// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/catalog.h"
#include "policy/checked_policy.h"

#include <kiln/arch.h>

#include <cstddef>
#include <span>
#include <vector>

namespace kiln::policy {

/// Looks for circumstances in which rules hold, by making them up from what the rules name and
/// asking the rules themselves: what it finds is so. What it does not find may be so all the same.
class Witnesses {
  public:
    /// The catalog must outlive it.
    explicit Witnesses(const catalog::Catalog& catalog);

    /// Whether two rules sometimes hold together, and each sometimes without the other: then their
    /// order decides, and not which of them is the narrower one. Together they must hold where none
    /// of `later` does. Rules that ask for a device or a target are not judged: false.
    bool overlap_in_part(const CheckedRule& a, const CheckedRule& b,
                         std::span<const CheckedRule* const> later);

  private:
    /// Facts that are tried; past them nothing more is found, so that a check always ends.
    static constexpr std::size_t most_trials = 4'000'000;

    const catalog::Catalog& catalog_;
    catalog::Module source_;                      ///< of no catalog: `kiln compile x.cu`
    std::vector<ComputeCapability> capabilities_; ///< that exist, sorted
    std::size_t trials_ = 0;
};

} // namespace kiln::policy
