// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::toolkit {

/// `13.0.88` or `12.8` (patch 0 then means "not said").
struct Version {
    int major = 0;
    int minor = 0;
    int patch = 0;

    /// One to three decimal numbers separated by dots; nothing for anything else.
    static std::optional<Version> parse(std::string_view text) noexcept;
    std::string str() const;       ///< `13.0.88`, or `13.0` without a patch
    std::string short_str() const; ///< `13.0`
    auto operator<=>(const Version&) const = default;
};

} // namespace kiln::toolkit
