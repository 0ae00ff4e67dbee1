// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Text without locale: every function treats bytes, ASCII rules only.
namespace kiln::base {

std::string_view trim(std::string_view text) noexcept;
/// Parts between separators, empty ones kept.
std::vector<std::string_view> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string to_lower(std::string_view text);
/// Replaces every occurrence.
std::string replace_all(std::string text, std::string_view from, std::string_view to);
/// Decimal digits only, no sign, no blanks, no overflow.
std::optional<unsigned long long> parse_unsigned(std::string_view text) noexcept;

/// Levenshtein distance, a transposition of neighbours counts one.
std::size_t edit_distance(std::string_view a, std::string_view b);
/// The candidate nearest to `word`, if near enough to be meant (distance at most a third of its
/// length, at least 1). Nothing for a word of more than 256 bytes.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);
/// `*` and `?`, the whole text.
bool glob_match(std::string_view pattern, std::string_view text) noexcept;

} // namespace kiln::base
