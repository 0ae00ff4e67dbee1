// SPDX-License-Identifier: Apache-2.0
#include "toolkit/version.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace kiln::toolkit {

std::optional<Version> Version::parse(std::string_view text) noexcept {
    std::array<int, 3> numbers{};
    std::size_t count = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        // from_chars would take a minus sign.
        if (at == end || *at < '0' || *at > '9')
            return std::nullopt;
        const auto [next, error] = std::from_chars(at, end, numbers[count]);
        if (error != std::errc{})
            return std::nullopt;
        ++count;
        if (next == end)
            return Version{numbers[0], numbers[1], numbers[2]};
        if (*next != '.' || count == numbers.size())
            return std::nullopt;
        at = next + 1;
    }
}

std::string Version::str() const {
    return patch == 0 ? short_str() : fmt::format("{}.{}.{}", major, minor, patch);
}

std::string Version::short_str() const {
    return fmt::format("{}.{}", major, minor);
}

} // namespace kiln::toolkit
