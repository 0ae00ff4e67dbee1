// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "source/lookup_memo.h"
#include "source/search_path.h"

#include <filesystem>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace kiln::source {

/// The files that a compiler reported, and the paths by which directives lead to them. For one
/// pass, like the memo it uses.
class OpenedFiles {
  public:
    struct File {
        std::string path; ///< absolute, normalised
        FileId id;
    };

    OpenedFiles(const SearchPath& path, LookupMemo& memo);

    /// Throws Error(io) where there is no such file any more. `path` must be absolute.
    void report(const std::filesystem::path& path);
    const std::vector<File>& all() const noexcept { return files_; }
    bool has(const FileId& id) const { return paths_.count(id) != 0; }
    /// Files outside all roots whose path ends with `name`: host compilers have directories of
    /// their own behind the search path.
    std::vector<File> elsewhere(const std::string& name) const;

    /// A directive led to an opened file by this path, which was not met before. False where too
    /// many paths lead to the file: a link to a directory above makes endlessly many.
    bool reach(const std::string& path, const FileId& id);
    /// Whether a directive led to a reported path: as it stands, or with links resolved. (Not to
    /// its inode alone: a hard link under another name is another file tomorrow.)
    bool is_explained(const std::string& path) const { return explained_.count(path) != 0; }

  private:
    bool is_below_a_root(const std::string& path) const;

    LookupMemo& memo_;
    std::vector<std::string> root_directories_; ///< as they are given, and with links resolved
    std::vector<File> files_;
    std::unordered_set<std::string> reported_;                  ///< paths of files_
    std::unordered_multimap<std::string, std::size_t> by_last_; ///< by last component
    std::map<FileId, int> paths_;                               ///< how many led to the file
    std::unordered_set<std::string> explained_;                 ///< reported paths, and some more
};

} // namespace kiln::source
