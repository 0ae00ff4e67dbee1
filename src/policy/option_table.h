// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/options.h"

#include <span>
#include <string_view>

namespace kiln::policy {

/// What an option takes after its name.
enum class OptionValue {
    none,
    boolean, ///< `true` or `false`
    integer, ///< decimal digits
    numbers, ///< integers separated by commas
    word,    ///< one of `choices`
    text,    ///< letters, digits and `_ - .`
    define,  ///< `NAME` or `NAME=VALUE`, attached to `-D`
    name,    ///< a macro's name, attached to `-U`
    level,   ///< one digit, attached to `-O`
    ptxas,   ///< options of ptxas, separated by commas, from a list of their own
    host,    ///< options of the host compiler, likewise
    fatbin   ///< options of fatbinary, likewise
};

/// What becomes of an option for one compiler.
struct OptionUse {
    Translation::Outcome outcome = Translation::Outcome::accepted;
    /// Accepted: the counterpart's spelling, or empty for the option as it was written.
    /// Dropped or refused: the reason.
    std::string_view text = {};
};

/// One option of NVRTC or NVCC. Both compilers take it under its long and its short name. Measured
/// with CUDA 13.0 for both; documented in nvrtc.h and in `nvcc --help`.
struct OptionRow {
    std::string_view name; ///< the long one: `--generate-line-info`
    std::string_view short_name;
    OptionValue value = OptionValue::none;
    bool single = false; ///< one value counts: a later one replaces an earlier one
    OptionUse nvrtc = {};
    OptionUse nvcc = {};
    std::string_view choices = {};     ///< for `word`, separated by blanks
    std::string_view other_words = {}; ///< why no other word is accepted
};

/// An option that belongs to Kiln and is refused whatever its value.
struct RefusedOption {
    std::string_view names; ///< separated by blanks
    std::string_view reason;
};

std::span<const OptionRow> option_rows() noexcept;
std::span<const RefusedOption> refused_options() noexcept;

/// Whether `piece`, one option of ptxas, the host compiler or fatbinary, changes code or warnings
/// only: it writes no file, reads none and chooses no target.
bool is_harmless(OptionValue kind, std::string_view piece);

} // namespace kiln::policy
