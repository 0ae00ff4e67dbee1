// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/plan.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::policy {

/// What the table says of one option for one backend.
struct Translation {
    enum class Outcome {
        accepted, ///< `spelling` is what the compiler gets
        dropped,  ///< no counterpart and no effect there: named in the plan, not passed
        refused   ///< writes files, chooses tools or targets, or has no counterpart that matters
    };
    Outcome outcome = Outcome::refused;
    std::vector<std::string> spelling;
    std::string reason;
};

/// Translates one option in either dialect's spelling (`--use_fast_math`, `-lineinfo`,
/// `--maxrregcount=64`, `-Xptxas=-v`) through the allowlist. An option that is not in the table is
/// refused with the nearest known one. Options that set targets (`-arch`, `-gencode`), output,
/// directories or tools are always refused: those belong to the plan.
Translation translate(std::string_view option, Backend backend);

} // namespace kiln::policy
