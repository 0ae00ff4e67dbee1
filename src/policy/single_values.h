// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/rule.h"

#include <string>
#include <vector>

namespace kiln::policy {

/// Something that a rule sets and of which the last that is set counts.
struct SingleValue {
    std::string key;                ///< `targets`, `remap sm_107a`, `--maxrregcount`
    std::string value;              ///< equal where two rules want the same
    const Option* option = nullptr; ///< of a compiler option
};

/// Those of a rule, options whose text is known only at a resolve left out.
std::vector<SingleValue> single_values(const Rule& rule);
/// Whether a rule does nothing but set these.
bool sets_single_values_alone(const Rule& rule);

} // namespace kiln::policy
