// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "source/search_path.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// What the compilers say they opened. Every function gives absolute, normalised paths, each once,
/// in the compiler's order, or nothing where the text is not what it should be: a list that may
/// lack a file must not pass for the whole of it.
namespace kiln::compile {

/// NVRTC's include trace (`-Xcudafe -H`, undocumented, measured with CUDA 13.0): one path a line,
/// indented by depth; names that begin with `__nv_` are NVRTC's own. Empty text: nothing.
std::optional<std::vector<std::filesystem::path>> parse_include_trace(std::string_view text);

/// NVRTC's `--fdevice-time-trace` (documented): JSON whose "Processing Header File" events name
/// the files.
std::optional<std::vector<std::filesystem::path>> parse_time_trace(std::string_view text);

/// GCC's line markers in preprocessed text (GCC manual, Preprocessor Output): those with flag 1
/// enter a file. Relative names are of Kiln's own making and left out. Exact for the pass that the
/// text comes from.
std::optional<std::vector<std::filesystem::path>> parse_line_markers(std::string_view text);

/// Without `.` and `..`. Where `..` follows a symbolic link the links are resolved instead, since
/// dropping both would name another file.
std::filesystem::path normalised(const std::filesystem::path& path);

/// Spells files that lie in a root by another name of it (GCC resolves links in the directories it
/// takes for system ones, nvcc adds the toolkit's by a name of its own) as the root is spelled, so
/// that they have a logical name. Files outside of all roots stay.
void respell(std::vector<std::filesystem::path>& files, std::span<const source::Root> roots);

} // namespace kiln::compile
