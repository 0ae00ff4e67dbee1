// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/arch.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::catalog {

/// A target as policies and needs name it: by its suffix alone (`f`, `a`, `plain`), whatever the
/// capability, or in full (`sm_120a`).
struct TargetForm {
    Suffix suffix = Suffix::none;
    std::optional<Target> exact; ///< set: only this target

    /// Throws Error(usage) that names the text.
    static TargetForm parse(std::string_view text);
    bool covers(const Target& target) const noexcept;
    std::string str() const; ///< as it is written: `f`, `sm_120a`
};

/// A list, or one text with commas. Throws Error(usage); twice the same form is an error too.
std::vector<TargetForm> parse_target_forms(const std::vector<std::string>& texts);
/// Whether one of the forms covers the target.
bool covers(const std::vector<TargetForm>& forms, const Target& target) noexcept;
/// `[f, a, plain]`
std::string str(const std::vector<TargetForm>& forms);

} // namespace kiln::catalog
