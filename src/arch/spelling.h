// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/arch.h>

#include <cstdint>
#include <optional>
#include <string_view>

/// The one grammar for every source of an arch: YAML, environment, command line, a cubin's note.
namespace kiln::arch {

enum class Form : std::uint8_t { dotted, sm, compute };

/// A valid spelling, taken apart.
struct Spelling {
    ComputeCapability capability;
    Suffix suffix = Suffix::none;
    Form form = Form::dotted;
    bool with_ptx = false;

    Target target() const noexcept;
};

/// Nothing for anything but the whole of
///
///     spelling = (major "." minor | "sm_" number) [suffix] ["+PTX"] | "compute_" number [suffix]
///     major    = 1 or 2 digits, not beginning with 0
///     minor    = 1 digit
///     number   = major minor
///     suffix   = "a" | "f"
std::optional<Spelling> read(std::string_view text) noexcept;

} // namespace kiln::arch
