// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file_system.h"
#include "cache/layout.h"
#include "cache/manifest.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace kiln::cache {

struct CacheOptions;

/// The files of a cache. Thread-safe, and safe among processes. Trouble is said once a process, or
/// thrown as Error(cache_unavailable) in strict mode; damage is moved aside and counts as absence.
class DiskTier {
  public:
    using Path = std::filesystem::path;
    /// `quarantined` counts damaged files; all three must outlive the tier.
    DiskTier(const CacheOptions& options, base::FileSystem& files,
             std::atomic<std::uint64_t>& quarantined);

    const Layout& layout() const noexcept { return layout_; }
    base::FileSystem& files() noexcept { return files_; }

    /// Whether there is a directory that may be trusted: a cubin is code. It must belong to this
    /// user or to root, and nobody else may write it. Asks the disk each time.
    bool readable();
    /// The same, for a directory that may have to be made first.
    bool writable();

    /// The whole file; nothing where there is none or it cannot be read.
    std::optional<std::vector<std::byte>> read(const Path& path);
    /// Makes missing directories. False where it was there first (`replace` false) or after
    /// trouble, which sets `failed`.
    bool publish(const Path& path, std::span<const std::byte> bytes, bool replace, bool& failed);
    /// A damaged file, by what was read of it: moved to quarantine/ unless somebody has replaced it
    /// since. Counted.
    void quarantine(const Path& path, std::span<const std::byte> seen, const std::string& why);

    /// Nothing where there is none, or it was damaged (`damaged`).
    std::optional<Manifest> manifest(const base::Digest& request, bool& damaged);
    /// Reads, changes and replaces a manifest with no other process in between (where locks work).
    /// `change` gets the present one, empty if there is none, and returns whether to write it.
    void update(const base::Digest& request, const std::function<bool(Manifest&)>& change);

    /// A lock file of the layout, made if need be; null where it cannot be had in that time.
    std::unique_ptr<base::FileSystem::Lock> lock(const std::string& name, int timeout_ms,
                                                 std::error_code& error);
    /// Says (or throws) that something cannot be done.
    void trouble(const std::string& what, const std::string& why);

  private:
    bool is_trusted(const base::FileStatus& status, std::string& why) const;

    const CacheOptions& options_;
    base::FileSystem& files_;
    Layout layout_;
    std::atomic<std::uint64_t>& quarantined_;
};

} // namespace kiln::cache
