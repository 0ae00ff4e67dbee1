// SPDX-License-Identifier: Apache-2.0
#include "cubin/tool_note.h"

#include "base/text.h"

#include <algorithm>
#include <array>

namespace kiln::cubin {

namespace {

constexpr std::uint32_t tool_note_type = 2000;
// A number, then where each of five strings begins in what follows: the file written, the tool, its
// version, its build, its options.
constexpr std::size_t string_count = 5;
constexpr std::size_t strings_offset = 4 + string_count * 4;
using Strings = std::array<std::string_view, string_count>;

Error damaged_note() {
    return invalid("the tool note (.note.nv.tkinfo) of the cubin is damaged");
}

/// The next `size` bytes, which end on a multiple of 4 in the note but for the last.
std::span<const std::byte> take(std::span<const std::byte>& bytes, std::size_t size) {
    if (size > bytes.size())
        throw damaged_note();
    const auto taken = bytes.first(size);
    bytes = bytes.subspan(std::min(bytes.size(), (size + 3) / 4 * 4));
    return taken;
}

Strings read_strings(std::span<const std::byte> description) {
    if (description.size() < strings_offset)
        throw damaged_note();
    const auto bytes = description.subspan(strings_offset);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    Strings strings;
    for (std::size_t i = 0; i < string_count; ++i) {
        const auto begin = read_at<std::uint32_t>(description, 4 + i * 4);
        const auto end = begin < text.size() ? text.find('\0', begin) : std::string_view::npos;
        if (end == std::string_view::npos)
            throw damaged_note();
        strings[i] = base::trim(text.substr(begin, end - begin));
    }
    return strings;
}

/// With -G the options name files before they name the target, so the last `-arch` is the one.
std::string_view target_in(std::string_view options) {
    std::string_view target;
    const auto words = base::split(options, ' ');
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
        if (words[i] == "-arch")
            target = words[i + 1];
    return target;
}

void append_printable(std::string& text, std::string_view part) {
    for (const char c : part)
        text += c >= 0x20 && c < 0x7f ? c : '?';
}

} // namespace

std::optional<ToolNote> read_tool_note(const ElfImage& image) {
    const auto* section = image.find(".note.nv.tkinfo");
    if (!section)
        return std::nullopt;
    ToolNote note;
    auto left = section->data;
    while (!left.empty()) {
        const auto header = take(left, sizeof(Elf64_Nhdr));
        const auto sizes = read_at<Elf64_Nhdr>(header, 0);
        take(left, sizes.n_namesz);
        const auto description = take(left, sizes.n_descsz);
        if (sizes.n_type != tool_note_type)
            continue;
        const auto strings = read_strings(description);
        if (note.text.empty())
            note.target = target_in(strings.back());
        else
            note.text += '\n';
        for (std::size_t i = 1; i < strings.size(); ++i) {
            if (i > 1)
                note.text += "; ";
            append_printable(note.text, strings[i]);
        }
    }
    if (note.target.empty())
        throw invalid("the tool note (.note.nv.tkinfo) of the cubin names no target");
    return note;
}

} // namespace kiln::cubin
