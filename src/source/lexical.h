// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

/// Characters and words as a preprocessor sees them, without locale.
namespace kiln::source {

/// A blank within a line; a carriage return is one.
constexpr bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}
constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
/// Part of an identifier or number; bytes of UTF-8 sequences count.
constexpr bool is_word(char c) noexcept {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::string_view skip_blanks(std::string_view text) noexcept {
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    return text;
}

/// Takes the word that `text` begins with; digits and letters alike.
constexpr std::string_view take_word(std::string_view& text) noexcept {
    std::size_t length = 0;
    while (length < text.size() && is_word(text[length]))
        ++length;
    const std::string_view word = text.substr(0, length);
    text.remove_prefix(length);
    return word;
}

} // namespace kiln::source
