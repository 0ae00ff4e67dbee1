// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/policy.h"

#include <string>
#include <vector>

namespace kiln::policy {

/// What differs between two answers to one question, in the order in which a plan is read.
struct PlanChange {
    std::string what; ///< `verdict`, `target`, `targets`, `backend`, `flag`, `limit`, ...
    std::string text; ///< "deny (REASON; p.yaml:3) -> allow (REASON; q.yaml:5)"
};

/// Empty where the two would make the same cubin under the same demands. Of a plan that is refused
/// by both only the reason counts.
std::vector<PlanChange> differences(const Resolution& before, const Resolution& after);

} // namespace kiln::policy
