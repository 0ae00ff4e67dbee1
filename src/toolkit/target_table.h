// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toolkit/version.h"

#include <kiln/arch.h>

#include <optional>
#include <vector>

/// `configs/targets.yaml` as it is in the library: what cannot be asked of a toolkit.
namespace kiln::toolkit {

/// The releases that have the targets of one capability.
struct History {
    ComputeCapability capability;
    std::optional<Version> first; ///< absent: older than the first known release
    std::optional<Version> first_a;
    std::optional<Version> first_f;
    std::optional<Version> last;
    std::optional<Version> removed;
    std::optional<ComputeCapability> renamed;

    /// The first release with that spelling; for `none` absent where it is older than all known.
    std::optional<Version> first_with(Suffix suffix) const noexcept;
    /// Whether the release (patch 0) has the target with that suffix.
    bool has(Suffix suffix, const Version& release) const noexcept;
};

struct TargetTable {
    std::vector<Version> releases; ///< oldest first, without patch
    std::vector<History> histories;
};

/// Read at the first use and kept; safe from many threads.
const TargetTable& target_table();

} // namespace kiln::toolkit
