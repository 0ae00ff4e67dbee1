// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file_system.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Where headers come from. The order is the compiler's own: for a quoted include the directory of
/// the includer (and of no other file: measured with NVRTC 13.0), then the roots in their order. A
/// directory or device that bears the name is passed over, as the compilers do. In each directory
/// NVRTC tries a name without a dot also with `.stdh` behind it (measured with 13.0).
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
    std::string root; ///< name of the root, or `includer`; empty for an absolute name
};

struct Resolution {
    std::optional<Found> found;
    std::vector<std::filesystem::path> tried; ///< before the hit, in order, no file there
    std::vector<Found> shadowed;              ///< later roots that have the name too (`which` only)
};

/// An ordered list of roots. A value; reading it is thread-safe.
class SearchPath {
  public:
    SearchPath() = default;
    /// Paths are normalised; system roots are put behind all others.
    explicit SearchPath(std::vector<Root> roots);

    /// In the order of the search.
    const std::vector<Root>& roots() const noexcept { return roots_; }
    /// `includer_directory` may be empty (no includer). Absolute names are taken as they stand.
    Resolution resolve(std::string_view name, bool quoted,
                       const std::filesystem::path& includer_directory, base::FileSystem& files,
                       bool with_shadowed = false) const;
    /// Files whose path ends like `name` or is near it, over all roots, at most `limit`, best
    /// first. Looks at 200,000 files and for a second at most.
    std::vector<std::filesystem::path> suggestions(std::string_view name, base::FileSystem& files,
                                                   std::size_t limit = 5) const;
    /// The root's name and the path within, for the longest root that holds `path` (the first of
    /// several with one path). Nothing where none does.
    struct Logical {
        std::string root;
        std::string relative;
    };
    std::optional<Logical> logical(const std::filesystem::path& path) const;

  private:
    std::vector<Root> roots_;
};

/// The second name under which NVRTC looks for a header, or empty: `cuda/std/span.stdh`.
std::string second_name(std::string_view name);

/// What follows `root` in `path`, both absolute and normalised; nothing where `path` is not below.
std::optional<std::string_view> path_below(std::string_view root, std::string_view path) noexcept;

} // namespace kiln::source
