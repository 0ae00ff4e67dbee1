// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file_system.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Where headers come from. The order is the compiler's own: for a quoted include the includer's
/// directory, then the roots in their order.
namespace kiln::source {

/// A directory that includes are searched in, with the name that stands for it in keys.
struct Root {
    std::string name;           ///< `I0`, `flashinfer`, `cccl`, `cuda`, `host`
    std::filesystem::path path; ///< absolute
    bool system = false;        ///< passed as -isystem, searched after all others
};

/// What an include resolves to.
struct Found {
    std::filesystem::path path;
    std::string root; ///< name of the root, or `includer`
};

struct Resolution {
    std::optional<Found> found;
    std::vector<std::filesystem::path> tried; ///< before the hit, in order, all absent
    std::vector<Found> shadowed;              ///< later roots that have the name too (`which` only)
};

/// An ordered list of roots. A value; reading it is thread-safe.
class SearchPath {
  public:
    SearchPath() = default;
    explicit SearchPath(std::vector<Root> roots);

    const std::vector<Root>& roots() const noexcept { return roots_; }
    /// `includer_directory` may be empty (no includer). Absolute names are taken as they stand.
    Resolution resolve(std::string_view name, bool quoted,
                       const std::filesystem::path& includer_directory, base::FileSystem& files,
                       bool with_shadowed = false) const;
    /// Files whose path ends like `name` or is near it, over all roots, at most `limit`, best
    /// first.
    std::vector<std::filesystem::path> suggestions(std::string_view name, base::FileSystem& files,
                                                   std::size_t limit = 5) const;
    /// The root's name and the path within, for the longest root that holds `path`.
    struct Logical {
        std::string root;
        std::string relative;
    };
    std::optional<Logical> logical(const std::filesystem::path& path) const;

  private:
    std::vector<Root> roots_;
};

} // namespace kiln::source
