// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file_system.h"
#include "source/search_path.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kiln::source {

using FileId = std::pair<std::uint64_t, std::uint64_t>; ///< device, inode

/// What comes before the last slash; empty for a file of `/`.
std::string_view parent_of(std::string_view path) noexcept;

/// The questions that one pass over many sources asks the disk, each asked once. Below a directory
/// that is not there nothing is looked for, which is what makes 600 files over 15 roots cheap. For
/// one thread, and for one pass: it never sees a change.
class LookupMemo {
  public:
    explicit LookupMemo(base::FileSystem& files) : files_(files) {}

    /// A file that a name led to.
    struct Hit {
        std::string path; ///< normalised where that names the same file
        FileId id;
        base::FileStamp stamp;
    };
    /// What a search met.
    struct Search {
        std::optional<Hit> hit;
        std::vector<std::string> gaps; ///< candidates before the hit (all, without one)
    };
    /// `directory` (may be empty) first, then the roots from index `first_root`.
    Search search(std::string_view name, std::string_view directory, const SearchPath& path,
                  std::size_t first_root = 0);

    /// The status, following links; `path` may hold `..`.
    base::FileStatus status(const std::string& path);
    /// `path` normalised, unless that is another file than `path` names (a link before a `..`).
    std::string normalised(const std::string& path);
    /// `path` with all links resolved; as it is where that fails.
    std::string resolved(const std::string& path);

  private:
    bool directory_exists(std::string_view path);

    base::FileSystem& files_;
    std::unordered_map<std::string, base::FileStatus> known_;
    std::unordered_map<std::string, bool> directories_;
    std::unordered_map<std::string, std::string> resolved_; ///< of directories
};

} // namespace kiln::source
