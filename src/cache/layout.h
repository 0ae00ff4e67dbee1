// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest.h"

#include <kiln/arch.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace kiln::cache {

/// Where each file of a cache lies; see Cache for the whole.
class Layout {
  public:
    using Path = std::filesystem::path;
    /// `directory`: the cache's root, may be empty.
    explicit Layout(const Path& directory);

    const Path& base() const noexcept { return base_; } ///< `<directory>/v1`
    Path entry(const base::Digest& key, const Target& target) const;
    Path manifest(const base::Digest& request) const { return fanned("manifests", request); }
    Path latest(const base::Digest& subject) const { return fanned("latest", subject); }
    Path lock(std::string_view name) const { return base_ / "locks" / name; }
    Path quarantine() const { return base_ / "quarantine"; }
    Path counters() const { return base_ / "counters"; }
    Path digests() const { return base_ / "digests"; }

  private:
    Path fanned(std::string_view folder, const base::Digest& digest) const;
    Path base_;
};

inline constexpr std::string_view entry_extension = ".cubin";

/// Only lower-case hexadecimal digits, `length` of them.
bool is_hex(std::string_view text, std::size_t length) noexcept;
/// A folder of the layout that entries of one target lie in: `sm_120a`.
bool is_target_folder(std::string_view name) noexcept;
/// `<key>.cubin`
bool is_entry_name(std::string_view name) noexcept;

} // namespace kiln::cache
