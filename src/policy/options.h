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
///
/// One text is one option with its value: `-maxrregcount=64` or `-maxrregcount 64`. An option that
/// the backend takes keeps the name that it was written with, so that it can be found again in a
/// log; `-Xptxas=-v,-O3` becomes one option for each part.
Translation translate(std::string_view option, Backend backend);

/// What an option is about, so that a later one can be seen to replace it.
struct OptionSubject {
    std::string name;    ///< `--fmad`, `macro NAME`; empty: it stands beside others of its kind
    bool single = false; ///< only the last counts, the earlier ones are left out
};
OptionSubject subject_of(std::string_view option);

} // namespace kiln::policy
