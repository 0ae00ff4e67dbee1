// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::toolkit {

/// The GNU build id in an ELF file's notes, in hexadecimal. Reads headers and notes only (the
/// libraries have 100 MB). Nothing where the file is absent, no ELF, damaged, or has none.
std::optional<std::string> gnu_build_id(const std::filesystem::path& file);

/// The text, to its NUL, that begins with `mark` in a section of an ELF file. Reads the section in
/// parts and only up to there. Nothing where it is not found.
std::optional<std::string> text_in_section(const std::filesystem::path& file,
                                           std::string_view section, std::string_view mark);

} // namespace kiln::toolkit
