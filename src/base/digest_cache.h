// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest.h"
#include "base/file_system.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace kiln::base {

/// Content digests of files, remembered by stamp: in memory, and under a directory shared by all
/// processes of the user. A racing write is never trusted: only settled stamps are remembered.
/// Thread-safe; a store that fails costs a read the next time and nothing else.
///
/// On disk, one file for each file that was digested, named by the first 32 hex digits of
/// SHA-256(field("device"), field("inode")) (see Hasher); all numbers little endian:
///
///     magic     "KILNDIG1"     8 bytes; its last digit is the version
///     stamp     5 u64          device, inode, size, mtime, ctime (nanoseconds)
///     digest    32 bytes       SHA-256 of the contents
///     checksum  2 u64          XXH3-128 of all before, low half first
///
/// A file that is none of this, or for another stamp, counts as absent and is written anew.
class DigestCache {
  public:
    /// `directory` may be empty: memory only.
    DigestCache(FileSystem& files, std::filesystem::path directory);
    ~DigestCache();

    struct Entry {
        FileStamp stamp;
        Digest digest;
        bool settled = false; ///< the stamp stands for the contents from now on
    };
    /// Stats, and reads only what is not remembered. Nothing where the file is absent,
    /// unreadable, or written to all the time. `persist`: also remember on disk (worth it for files
    /// of a megabyte and more).
    std::optional<Entry> digest(const std::filesystem::path& path, bool persist = false);
    /// Remembers what the caller has read, if the stamp had settled: `stamped_at_ns` is
    /// `wall_clock_ns()` from before the stamp was taken, which was before the contents were read.
    void remember(const FileStamp& stamp, const Digest& digest, std::int64_t stamped_at_ns);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace kiln::base
