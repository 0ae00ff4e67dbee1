// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest_cache.h"
#include "base/file_system.h"
#include "source/include_scanner.h"
#include "source/search_path.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace kiln::source {

/// A file of the graph.
struct GraphFile {
    std::string name;           ///< as the first includer spells it; the source: its file name
    std::filesystem::path path; ///< absolute
    base::Digest digest;
    std::vector<std::size_t> includes;    ///< indices of files, in order of first mention
    std::vector<std::string> included_by; ///< `path:line` of each includer
};

struct MissingInclude {
    std::string name;
    std::string from; ///< `path:line`
    std::vector<std::filesystem::path> tried;
};

/// The static graph: what the scanner sees without evaluating conditions. A preview and fallback;
/// the compiler's own list (see `inputs_of`) is the truth.
struct HeaderGraph {
    std::vector<GraphFile> files; ///< the source first
    std::vector<MissingInclude> missing;
    std::vector<std::filesystem::path> absent; ///< a file there would be found first
};

/// Throws Error(source_missing). Bounded: 100,000 files, 256 MiB a file.
HeaderGraph scan_graph(const std::filesystem::path& source, const SearchPath& path,
                       base::FileSystem& files, base::DigestCache& digests);

/// All that a compile depended on, by the list of files that the compiler opened.
struct Inputs {
    std::vector<std::filesystem::path> files;  ///< sorted, each once, the source included
    std::vector<std::filesystem::path> absent; ///< would have been found first; must stay absent
    /// Why this list cannot be trusted for direct lookups (`__has_include` with a macro operand,
    /// ...), with file:line; empty: it can.
    std::string incomplete;
};

/// Completes the compiler's list with the absent paths: for each include directive in an opened
/// file the candidates before the one that was opened, and for every `__has_include` the candidates
/// that do not exist. A computed include is resolved by what was opened. Throws Error(io) if an
/// opened file cannot be read any more.
Inputs inputs_of(const std::filesystem::path& source, std::span<const std::filesystem::path> opened,
                 const SearchPath& path, base::FileSystem& files);

} // namespace kiln::source
