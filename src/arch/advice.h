// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/spelling.h"

#include <kiln/error.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln::arch {

/// Why a text is not a spelling, and what may have been meant.
struct Advice {
    std::string reason;     ///< continues a sentence: `the minor version has one digit`
    std::string suggestion; ///< `9.0 or sm_90`; empty if nothing comes near
};
/// For a text that `read` refuses. Never throws for what the text holds.
Advice advise(std::string_view text);

/// What the caller could have used.
enum class Wanted : std::uint8_t { capability, target, request };

/// The Error(unknown_arch) for one text: what is wrong with it and the nearest valid spelling.
/// `text` may be valid in itself and still not be what is wanted (`12.0a` as a capability).
Error refusal(std::string_view text, Wanted wanted);

/// The text in quotes, fit for a terminal: what is not printable as `\xNN`, cut when it is long.
std::string quoted(std::string_view text);

} // namespace kiln::arch
