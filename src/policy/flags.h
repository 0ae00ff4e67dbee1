// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/policy.h"
#include "policy/rule.h"
#include "policy/templates.h"

#include <kiln/plan.h>

#include <span>
#include <string>
#include <vector>

namespace kiln::policy {

/// What the options of all rules that hold come to.
struct Flags {
    std::vector<Flag> flags;     ///< what the compiler gets, in order
    std::vector<RuleNote> notes; ///< each option that it does not get, or that a later one undoes
    std::vector<const Option*> left_out;
    std::vector<Resolution::IncludeRoot> include_roots; ///< their `-I` are among the flags
    std::vector<std::string> idle_removals; ///< of `remove:`, what no weaker rule had set
};

/// The options of `rules`, which stand weakest first, for one backend. Of an option with one value
/// the last counts, and of equal texts; everything else adds. Defines of one name all stand, in
/// order, as the compilers' own rule is that the last counts. What a stronger rule removes goes.
Flags assemble_flags(std::span<const Rule* const> rules, const OptionValues& values,
                     Backend backend, bool with_notes);

/// Whether a `remove:` names an option: `-O3` names one, `--maxrregcount` every value of it,
/// `-DNAME` every define and undefine of the macro, `-INAME` the include directory.
bool removes(std::string_view removal, const Option& option);

/// The first option that the backend refuses, as a sentence, or an empty text.
std::string refused_option(std::span<const Rule* const> rules, const OptionValues& values,
                           Backend backend);

/// `NVRTC`, `NVCC`, as messages write them.
std::string_view display_name(Backend backend) noexcept;

} // namespace kiln::policy
