// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace kiln::base {

/// Line and column, which count from 1; the column in bytes.
struct YamlPlace {
    int line = 1;
    int column = 1;
};

/// Finds places in a text: the parser counts characters, Kiln counts bytes. Cheap for places that
/// come in order. The text must outlive it and be UTF-8.
class YamlPlaces {
  public:
    explicit YamlPlaces(std::string_view text) : text_(text) {}

    /// The place of a character; behind the end: of the end.
    YamlPlace of_character(std::size_t index);
    /// The byte at which the character asked for last begins; the size of the text at its end.
    std::size_t byte() const noexcept { return byte_; }

  private:
    std::string_view text_;
    std::size_t index_ = 0; ///< characters before `byte_`
    std::size_t byte_ = 0;
    std::size_t line_begin_ = 0;
    int line_ = 1;
};

} // namespace kiln::base
