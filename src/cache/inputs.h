// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest_cache.h"
#include "base/file_system.h"
#include "cache/request.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace kiln::cache {

/// A path by the name of its root and what follows; root `/` for what lies under none.
struct LogicalPath {
    std::string root;
    std::string relative; ///< with `/`, may begin with `..`

    std::string str() const; ///< `cuda:cuda_fp16.h`
    auto operator<=>(const LogicalPath&) const = default;
};

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

/// One set of inputs that a request was seen with, and what must stay absent.
struct InputSet {
    std::vector<Input> files;        ///< sorted by name
    std::vector<LogicalPath> absent; ///< sorted

    /// The key of the entry: the request's digest, each file's name and content, each absent name.
    base::Digest key(const base::Digest& request) const;
};

/// Stats and digests what a compile opened. Throws Error(io) for a file that is gone.
InputSet collect_inputs(std::span<const std::filesystem::path> files,
                        std::span<const std::filesystem::path> absent,
                        std::span<const NamedRoot> roots, base::DigestCache& digests);

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

} // namespace kiln::cache
