// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln::source {

/// Finds the preprocessing directives of a text, in one pass. Reads like a compiler's first
/// phases: line splices, comments, string, character and raw string literals, digit separators,
/// the `%:` digraph; no trigraphs (C++20 has none). Header names are kept as they are written,
/// blanks and `//` included. Never throws but for memory; time is linear in the text's size.
class DirectiveReader {
  public:
    /// `text` must outlive the reader.
    explicit DirectiveReader(std::string_view text) noexcept;

    /// The next directive: what follows `#` up to the end of its logical line, comments as one
    /// blank, splices gone. False at the end.
    bool next(std::string& directive, int& line);

  private:
    bool at(std::size_t position, char first, char second) const noexcept;
    std::size_t splice_at(std::size_t position) const noexcept;
    bool newline_is_spliced(std::size_t position) const noexcept;
    bool is_digit_separator(std::size_t position) const noexcept;
    bool is_raw_string(std::size_t position) const noexcept;
    bool enter_directive();
    bool skip_line();
    void skip_to(std::size_t end);
    void skip_block_comment();
    void skip_line_comment();
    void skip_quoted();
    void collect(std::string& directive);
    void copy_header_name(std::string& directive, char end);

    std::string_view text_;
    std::size_t position_ = 0;
    int line_ = 1;
};

} // namespace kiln::source
