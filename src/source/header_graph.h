// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest_cache.h"
#include "base/file_system.h"
#include "source/include_scanner.h"
#include "source/search_path.h"

#include <cstdint>
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
    std::string from;      ///< `path:line`
    std::string condition; ///< of the directive: it may never be reached
    std::vector<std::filesystem::path> tried;
};

/// The static graph: what the scanner sees without evaluating conditions. A preview and fallback;
/// the compiler's own list (see `inputs_of`) is the truth.
struct HeaderGraph {
    std::vector<GraphFile> files; ///< the source first
    std::vector<MissingInclude> missing;
    std::vector<std::filesystem::path> absent; ///< sorted by text; would be found first
    bool truncated = false; ///< a bound was met: more files, or a file too large to be read
};

/// Throws Error(source_missing). Bounded: 100,000 files, 256 MiB a file.
HeaderGraph scan_graph(const std::filesystem::path& source, const SearchPath& path,
                       base::FileSystem& files, base::DigestCache& digests);

/// All that a compile depended on, by the list of files that the compiler opened.
struct Inputs {
    /// Sorted by text, each once, the source included, normalised; also the files that a
    /// `__has_include` found.
    std::vector<std::filesystem::path> files;
    /// Sorted by text; no file is there, and one would have been found first.
    std::vector<std::filesystem::path> absent;
    /// Why this list cannot be trusted for direct lookups (`__has_include` with a macro operand,
    /// a file that appeared during the compile, ...), with file:line; empty: it can.
    std::string incomplete;
};

/// Completes the compiler's list with the absent paths: for each include directive in an opened
/// file the candidates before the one that was opened, and for every `__has_include` the candidates
/// that do not exist. A computed include is resolved by what was opened: any opened file that no
/// literal include explains may be its target, under every name that a root gives it.
///
/// `started_ns`: when the compile began, in file time (cache::mark_compile_start). A file that
/// stands where the compiler looked and is not older than that makes the list incomplete: the
/// compiler may or may not have seen it.
///
/// Throws Error(io) if an opened file cannot be read any more.
Inputs inputs_of(const std::filesystem::path& source, std::span<const std::filesystem::path> opened,
                 const SearchPath& path, base::FileSystem& files, std::int64_t started_ns);

} // namespace kiln::source
