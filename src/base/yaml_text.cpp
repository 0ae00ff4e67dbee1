// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_tree.h"

#include <fmt/format.h>

namespace kiln::base {

namespace {

/// The length of a well-formed UTF-8 sequence at the beginning, 0 if there is none.
std::size_t utf8_length(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    const std::size_t length = first < 0x80                     ? 1
                               : first >= 0xC2 && first <= 0xDF ? 2
                               : first >= 0xE0 && first <= 0xEF ? 3
                               : first >= 0xF0 && first <= 0xF4 ? 4
                                                                : 0;
    if (length == 0 || length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0u) != 0x80u)
            return 0;
    const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool surrogate = first == 0xED && byte(1) > 0x9F;
    const bool beyond = first == 0xF4 && byte(1) > 0x8F;
    return overlong || surrogate || beyond ? 0 : length;
}

/// What the well-formed sequence at the beginning must not be, or null. A carriage return alone and
/// Unicode's line breaks end a line for some programs and not for others: a remark could hide a
/// setting behind one.
const char* complaint_of(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    const bool control = (first < 0x20 && first != '\t' && first != '\n' && first != '\r') ||
                         first == 0x7F || (first == 0xC2 && byte(1) < 0xA0 && byte(1) != 0x85);
    const bool no_character = first == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE;
    if (control || no_character)
        return "the text holds a control character";
    const bool stray_break = (first == '\r' && !text.substr(1).starts_with('\n')) ||
                             text.starts_with("\xC2\x85") || text.starts_with("\xE2\x80\xA8") ||
                             text.starts_with("\xE2\x80\xA9");
    return stray_break ? "the text holds a line break that not every program takes for one"
                       : nullptr;
}

} // namespace

void check_yaml_text(const YamlTree& tree, std::string_view text) {
    if (text.size() > YamlLimits::text)
        throw tree.error(1, 1, fmt::format("the text is longer than {} bytes", YamlLimits::text));
    int line = 1;
    std::size_t line_begin = 0;
    char last = '\n';
    for (std::size_t i = 0; i < text.size();) {
        const auto column = static_cast<int>(i - line_begin) + 1;
        const std::size_t length = utf8_length(text.substr(i));
        if (length == 0)
            throw tree.error(line, column, "the text is not UTF-8");
        if (const char* complaint = complaint_of(text.substr(i)))
            throw tree.error(line, column, complaint);
        // The parser compares each of these with all before it.
        if (last == '\n' && text.substr(i).starts_with("%TAG"))
            throw tree.error(line, column, "the directive `%TAG` is not supported",
                             "remove it: values are taken as they are written");
        last = text[i];
        i += length;
        if (last == '\n') {
            ++line;
            line_begin = i;
        }
    }
}

} // namespace kiln::base
