// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest_cache.h"
#include "base/file_system.h"
#include "cache/request.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kiln::cache {

/// A path by the name of its root and what follows; root `/` for what lies under none.
struct LogicalPath {
    std::string root;
    std::string relative; ///< with `/`, may begin with `..`

    std::string str() const; ///< `cuda:cuda_fp16.h`; `/usr/include/math.h` for root `/`
    auto operator<=>(const LogicalPath&) const = default;
};

/// Every name of a path, the best first. One, in general: by the longest root that holds it (the
/// first of several roots with one path). A file beside the roots, such as `../common/x.h` seen
/// from the sources, is named from each root below their nearest common directory, since any of
/// them may have led to it; one below `/usr`, or that shares no directory with the sources, keeps
/// its absolute path.
std::vector<LogicalPath> logical_names(const std::filesystem::path& path,
                                       std::span<const NamedRoot> roots);
/// The first of them.
LogicalPath to_logical(const std::filesystem::path& path, std::span<const NamedRoot> roots);
/// Empty where the root is not among `roots`.
std::filesystem::path to_path(const LogicalPath& name, std::span<const NamedRoot> roots);

/// A file that a compile read.
struct Input {
    LogicalPath name;
    base::Digest digest;
    base::FileStamp stamp;
    bool settled = false; ///< the stamp stands for the contents
};

/// Names that must lead to no file. What is not there is, more often than not, a whole directory,
/// and then one look at that answers for all of them.
struct AbsentNames {
    LogicalPath missing; ///< the topmost directory that was not there, or the file itself
    /// The files below it, each ended by a NUL, sorted; empty: `missing` is the file.
    std::string below;
};

/// One set of inputs that a request was seen with, and what must stay absent.
struct InputSet {
    std::vector<Input> files;        ///< sorted by name
    std::vector<AbsentNames> absent; ///< sorted by name

    /// The key of the entry: the request's digest, each file's name and content, each absent name
    /// in full (how they are grouped does not count).
    base::Digest key(const base::Digest& request) const;
};

/// The moment before a compile, so that what changes under the compiler is noticed after it.
struct CompileStart {
    std::int64_t time_ns = 0; ///< by the clock that stamps files
    /// Device and inode of each root: a directory or link put in its place has another.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> roots;
};
/// Call right before the compile. Waits for the kernel's next clock tick (4 ms at 250 Hz, half of
/// it on average, 50 ms at most): a file written within the tick before could not be told from one
/// written during the compile.
CompileStart mark_compile_start(const Request& request, base::FileSystem& files);

/// What a compile read, stamped and digested after it.
struct Collected {
    InputSet inputs;
    /// The first file or root that changed since the start, and how. Empty: none did, and the
    /// digests are of what the compiler saw. Otherwise the result must not be stored.
    std::string changed;
};

/// Throws Error(io) for a file that is gone. `absent` paths that are files by now count as changed.
/// A file counts as changed if its mtime or ctime is not before the start: one that was written by
/// another host whose clock is behind is not noticed.
Collected collect_inputs(std::span<const std::filesystem::path> files,
                         std::span<const std::filesystem::path> absent, const Request& request,
                         const CompileStart& start, base::FileSystem& file_system,
                         base::DigestCache& digests);

/// Whether the disk still says the same. `changed` names the first difference:
/// `cuda:cuda_fp16.h changed`, `I0:config.h appeared`. Refreshes stamps of files that were only
/// touched (`refreshed`).
struct Validation {
    bool same = false;
    std::string changed;
    bool refreshed = false;
};
Validation validate(InputSet& set, std::span<const NamedRoot> roots, base::FileSystem& files,
                    base::DigestCache& digests);

/// The paths of an input set under some roots, worked out once for many validations.
struct ResolvedSet {
    std::vector<std::filesystem::path> files;  ///< empty where the root is unknown
    std::vector<std::filesystem::path> absent; ///< of `missing`
};
ResolvedSet resolve(const InputSet& set, std::span<const NamedRoot> roots);

/// A stamp to be brought up to date.
struct Refresh {
    std::size_t file;
    base::FileStamp stamp;
    bool settled;
};
/// As the other, without a change to `set`: what to refresh is put in `refreshes`.
Validation validate(const InputSet& set, const ResolvedSet& paths, base::FileSystem& files,
                    base::DigestCache& digests, std::vector<Refresh>& refreshes);

} // namespace kiln::cache
