// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/target_forms.h"
#include "policy/settings.h"
#include "toolkit/version.h"

#include <kiln/arch.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kiln::policy {

/// How well a backend's targets serve an arch, best first.
enum class Fit {
    exact,  ///< a target for this capability, one that was written out, or one that is fixed
    lesser, ///< a cubin for a lower capability that runs on this one
    ptx,    ///< no cubin, and the policy takes PTX instead
    kept,   ///< a target that the toolkit lacks, which the policy keeps all the same
    none
};

struct TargetQuestion {
    const ArchRequest& arch;
    const TargetSelection& selection;
    std::span<const Target> available; ///< the backend's real targets
    const toolkit::Version& toolkit;
    PtxUse ptx;
    bool keep_missing;
    /// Pairs of from and to, weakest first; the last for a target counts, and none follows another.
    std::span<const std::pair<Target, Target>> remap;
    /// Why a rule refuses a target, or an empty text.
    std::function<std::string(const Target&)> refusal;
};

struct TargetChoice {
    std::optional<Target> target;
    Fit fit = Fit::none;
    std::string reason;          ///< why this target; for `none`: the first cause
    std::string missing{};       ///< why the toolkit cannot compile for it, where it is kept
    std::vector<Target> fixed{}; ///< all targets of a `fixed` or `only` list, after the remap
};

/// A written-out target is taken or not, as it stands. A bare capability takes the first form of
/// the preference that the backend has for it and no rule refuses; then, in the same order, the
/// highest target below it that runs on it; then PTX where `ptx` says so. Where rules refuse every
/// candidate, the first is returned, for their deny to be the answer. A `fixed` list gives the
/// target that was written out, else the first that runs on the capability, else its first.
TargetChoice choose_target(const TargetQuestion& question);

} // namespace kiln::policy
