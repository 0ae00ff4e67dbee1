// SPDX-License-Identifier: Apache-2.0
#include "source/directive_reader.h"

#include "base/text.h"
#include "source/lexical.h"

#include <algorithm>
#include <array>

namespace kiln::source {

namespace {

constexpr std::array<bool, 256> make_stops(std::string_view characters) {
    std::array<bool, 256> stops{};
    for (const char c : characters)
        stops[static_cast<unsigned char>(c)] = true;
    return stops;
}
// Characters that can change the meaning of those that follow; all others are passed over.
constexpr std::array<bool, 256> code_stops = make_stops("\n\"'/");
constexpr std::array<bool, 256> directive_stops = make_stops("\n\"'/\\<");

// After these a `<` or `"` begins a header name, in which nothing has a meaning but its end.
bool header_name_follows(std::string_view directive, char opening) {
    const std::string_view before = base::trim(directive); // begins with no blank: see collect
    if (before == "include" || before == "include_next" || before == "import")
        return true;
    return opening == '<' && before.ends_with('(');
}

} // namespace

DirectiveReader::DirectiveReader(std::string_view text) noexcept : text_(text) {
    if (text_.starts_with("\xef\xbb\xbf"))
        text_.remove_prefix(3);
}

bool DirectiveReader::next(std::string& directive, int& line) {
    do {
        if (enter_directive()) {
            line = line_;
            directive.clear();
            collect(directive);
            return true;
        }
    } while (skip_line());
    return false;
}

bool DirectiveReader::at(std::size_t position, char first, char second) const noexcept {
    return position + 1 < text_.size() && text_[position] == first && text_[position + 1] == second;
}

/// Length of a backslash with its newline, or 0.
std::size_t DirectiveReader::splice_at(std::size_t position) const noexcept {
    if (at(position, '\\', '\n'))
        return 2;
    return at(position, '\\', '\r') && at(position + 1, '\r', '\n') ? 3 : 0;
}

bool DirectiveReader::newline_is_spliced(std::size_t position) const noexcept {
    if (position > 0 && text_[position - 1] == '\r')
        --position;
    return position > 0 && text_[position - 1] == '\\';
}

bool DirectiveReader::is_digit_separator(std::size_t position) const noexcept {
    if (position + 1 >= text_.size() || !is_word(text_[position + 1]))
        return false;
    // Longer than 64 binary digits with their separators; keeps the look back bounded.
    constexpr std::size_t longest_number = 160;
    const std::size_t limit = position - std::min(position, longest_number);
    std::size_t begin = position;
    while (begin > limit &&
           (is_word(text_[begin - 1]) || text_[begin - 1] == '\'' || text_[begin - 1] == '.'))
        --begin;
    while (begin < position && (text_[begin] == '.' || text_[begin] == '\''))
        ++begin;
    return begin < position && is_digit(text_[begin]) && is_word(text_[position - 1]);
}

bool DirectiveReader::is_raw_string(std::size_t position) const noexcept {
    if (position == 0 || text_[position - 1] != 'R')
        return false;
    std::size_t begin = position - 1;
    if (begin >= 2 && at(begin - 2, 'u', '8'))
        begin -= 2;
    else if (begin >= 1 && std::string_view("uUL").find(text_[begin - 1]) != std::string_view::npos)
        begin -= 1;
    return begin == 0 || !is_word(text_[begin - 1]);
}

/// From the first character of a line to its `#`, if blanks and comments alone precede one.
bool DirectiveReader::enter_directive() {
    while (position_ < text_.size()) {
        const char c = text_[position_];
        if (is_blank(c)) {
            ++position_;
        } else if (c == '\n') {
            ++position_;
            ++line_;
        } else if (const std::size_t length = splice_at(position_)) {
            position_ += length;
            ++line_;
        } else if (at(position_, '/', '*')) {
            skip_block_comment();
        } else if (at(position_, '/', '/')) {
            skip_line_comment();
        } else if (c == '#' || at(position_, '%', ':')) {
            position_ += c == '#' ? 1 : 2;
            return true;
        } else {
            return false;
        }
    }
    return false;
}

/// To the first character of the next logical line; false at the end.
bool DirectiveReader::skip_line() {
    while (position_ < text_.size()) {
        const char c = text_[position_];
        if (!code_stops[static_cast<unsigned char>(c)]) {
            ++position_;
        } else if (c == '\n') {
            const bool spliced = newline_is_spliced(position_);
            ++position_;
            ++line_;
            if (!spliced)
                return true;
        } else if (c == '/') {
            if (at(position_, '/', '*'))
                skip_block_comment();
            else if (at(position_, '/', '/'))
                skip_line_comment();
            else
                ++position_;
        } else {
            skip_quoted();
        }
    }
    return false;
}

void DirectiveReader::skip_to(std::size_t end) {
    end = std::min(end, text_.size());
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(position_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    position_ = end;
}

void DirectiveReader::skip_block_comment() {
    const std::size_t end = text_.find("*/", position_ + 2);
    skip_to(end == std::string_view::npos ? text_.size() : end + 2);
}

/// To the newline that ends it, which is not taken.
void DirectiveReader::skip_line_comment() {
    std::size_t end = text_.find('\n', position_);
    while (end != std::string_view::npos && newline_is_spliced(end))
        end = text_.find('\n', end + 1);
    skip_to(end);
}

/// A literal whose quote is here. One that its line does not end, ends with its line: that is how
/// the apostrophes of prose in skipped groups are read.
void DirectiveReader::skip_quoted() {
    const char quote = text_[position_];
    if (quote == '\'' && is_digit_separator(position_)) {
        ++position_;
        return;
    }
    if (quote == '"' && is_raw_string(position_)) {
        constexpr std::size_t longest_delimiter = 16;
        const std::size_t open = text_.find_first_of("( )\\\t\v\f\n\"", position_ + 1);
        if (open != std::string_view::npos && text_[open] == '(' &&
            open - position_ - 1 <= longest_delimiter) {
            std::string end(1, ')');
            end += text_.substr(position_ + 1, open - position_ - 1);
            end += '"';
            const std::size_t close = text_.find(end, open);
            skip_to(close == std::string_view::npos ? text_.size() : close + end.size());
            return;
        }
    }
    ++position_;
    while (position_ < text_.size() && text_[position_] != '\n') {
        if (text_[position_] == quote) {
            ++position_;
            return;
        }
        if (const std::size_t length = splice_at(position_)) {
            position_ += length;
            ++line_;
        } else {
            const bool escaped = text_[position_] == '\\' && position_ + 1 < text_.size();
            position_ += escaped ? 2 : 1;
        }
    }
}

void DirectiveReader::copy_header_name(std::string& directive, char end) {
    directive += text_[position_++];
    while (position_ < text_.size() && text_[position_] != '\n') {
        if (const std::size_t length = splice_at(position_)) {
            position_ += length;
            ++line_;
            continue;
        }
        directive += text_[position_];
        if (text_[position_++] == end)
            return;
    }
}

void DirectiveReader::collect(std::string& directive) {
    while (position_ < text_.size()) {
        const std::size_t begin = position_;
        while (position_ < text_.size() &&
               !directive_stops[static_cast<unsigned char>(text_[position_])])
            ++position_;
        const std::string_view plain = text_.substr(begin, position_ - begin);
        directive += directive.empty() ? skip_blanks(plain) : plain;
        if (position_ == text_.size())
            return;
        const char c = text_[position_];
        if (c == '\n') {
            ++position_;
            ++line_;
            return;
        }
        if (const std::size_t length = splice_at(position_)) {
            position_ += length;
            ++line_;
        } else if (at(position_, '/', '*')) {
            skip_block_comment();
            if (!directive.empty())
                directive += ' ';
        } else if (at(position_, '/', '/')) {
            skip_line_comment();
        } else if ((c == '"' || c == '<') && header_name_follows(directive, c)) {
            copy_header_name(directive, c == '<' ? '>' : '"');
        } else if (c == '"' || c == '\'') {
            const std::size_t quote = position_;
            skip_quoted();
            directive += text_.substr(quote, position_ - quote);
        } else {
            directive += c;
            ++position_;
        }
    }
}

} // namespace kiln::source
