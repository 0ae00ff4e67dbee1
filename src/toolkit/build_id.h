// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::toolkit {

/// The GNU build id in an ELF file's notes, in hexadecimal. Reads headers and notes only (the
/// libraries have 100 MB). Nothing where the file is absent, no ELF, damaged, or has none.
std::optional<std::string> gnu_build_id(const std::filesystem::path& file);

/// The contents of one section of an ELF file; nothing where it is absent or above `limit` bytes.
std::optional<std::vector<char>> elf_section(const std::filesystem::path& file,
                                             std::string_view name, std::size_t limit);

} // namespace kiln::toolkit
