// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/target_forms.h"
#include "policy/rule.h"
#include "toolkit/version.h"

#include <kiln/arch.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kiln::policy {

/// How well a backend's targets serve an arch, best first.
enum class Fit {
    exact,  ///< a target for this capability, or the one that was written out
    lesser, ///< a cubin for a lower capability that runs on this one
    ptx,    ///< no cubin, and the policy takes PTX instead
    none
};

struct TargetQuestion {
    const ArchRequest& arch;
    const std::vector<catalog::TargetForm>& preference;
    std::span<const Target> available; ///< the backend's real targets
    const toolkit::Version& toolkit;
    PtxUse ptx;
    /// Why a rule refuses a target, or an empty text.
    std::function<std::string(const Target&)> refusal;
};

struct TargetChoice {
    std::optional<Target> target;
    Fit fit = Fit::none;
    std::string reason; ///< why this target; for `none`: the first cause
};

/// A written-out target is taken or not, as it stands. A bare capability takes the first form of
/// the preference that the backend has for it and no rule refuses; then, in the same order, the
/// highest target below it that runs on it; then PTX where `ptx` says so. Where rules refuse every
/// candidate, the first is returned, for their deny to be the answer.
TargetChoice choose_target(const TargetQuestion& question);

} // namespace kiln::policy
