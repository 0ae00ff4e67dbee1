// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest_cache.h"
#include "base/file_system.h"
#include "cache/entry.h"
#include "cache/inputs.h"
#include "cache/request.h"

#include <kiln/cubin.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln::cache {

struct CacheOptions {
    /// The cache's root; everything lies under `<directory>/v1/`. Empty: memory tier only.
    std::filesystem::path directory;
    std::uint64_t memory_bytes = 256u << 20; ///< bound of the memory tier
    bool read = true;                        ///< false: `KILN_MODE=off`
    bool write = true;
    /// Trouble of the store throws Error(cache_unavailable) instead of a log line.
    bool strict = false;
};

/// Counts of this process and, summed over processes, of the directory.
struct Counters {
    std::uint64_t memory_hits = 0, disk_hits = 0, remote_hits = 0, misses = 0, compiles = 0,
                  evicted = 0, quarantined = 0;
};

/// A row of `kiln cache list`.
struct EntryInfo {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    Metadata metadata; ///< without log and ptx
};

struct Statistics {
    std::uint64_t entries = 0, bytes = 0, limit_bytes = 0;
    Counters counters;
    std::map<std::string, std::uint64_t> by_target; ///< entries
};

/// The two-level cache. Thread-safe. Trouble of the disk never fails a caller unless `strict`: a
/// failed store returns the cubin without an entry path and is logged once.
///
/// Layout under `<directory>/v1/`:
///   sm_120a/ab/<key>.cubin      entries (entry.h)
///   manifests/ab/<digest>       manifests (manifest.h)
///   latest/ab/<digest>          the fields last asked for under one label and target
///   digests/..                  content digests of large files (base/digest_cache.h)
///   locks/<digest>, locks/..    single flight, and writers of manifests
///   quarantine/<name>.<digits>  damaged files, moved aside; at most 100
///   counters/<digits>           counts, one file a process, folded together
///
/// A directory is used only if it belongs to this user or root and nobody else can write it.
class Cache {
  public:
    Cache(CacheOptions options, base::FileSystem& files, base::DigestCache& digests);
    ~Cache();

    struct Lookup {
        std::optional<Cubin> hit;
        /// Without a hit: the first field or file that differed from what was seen last
        /// (`options: -DX=1 became -DX=2`, `cuda:cuda_fp16.h changed`), or `never seen`.
        std::string miss_reason;
    };
    /// Memory, then disk. A damaged file is moved aside, counted, and counts as a miss.
    /// `again`: the same request has just been looked for, and its miss is counted.
    Lookup find(const Request& request, bool again = false);

    /// Verifies the image, publishes entry and manifest, and puts it in memory. `inputs` absent:
    /// the list of inputs cannot be trusted (source::Inputs::incomplete, Collected::changed);
    /// nothing is stored but in this call's answer. Counts a compile. Where another process was
    /// first with this key, its image is the answer. Throws Error(cubin_invalid | kernel_missing)
    /// for an image that is not for the request's target or lacks a kernel of `metadata`. Key,
    /// target, label and, where they are empty, time and fields of `metadata` are filled in.
    Cubin store(const Request& request, const std::optional<InputSet>& inputs, Metadata metadata,
                std::vector<std::byte> image);

    /// Held while one thread of one process compiles a request: others wait for it, then find the
    /// entry (look again when you have it). Null where it could not be had in `timeout_ms`: the
    /// caller compiles for itself. Where files cannot be locked, or there is no directory, it
    /// holds back the threads of this process alone. Must not outlive the file system.
    std::unique_ptr<base::FileSystem::Lock> single_flight(const Request& request, int timeout_ms);

    Statistics statistics() const;
    std::vector<EntryInfo> list() const;
    /// Removes every entry, manifest and remembered digest of this cache's own layout, nothing
    /// else. Returns the number of entries removed.
    std::uint64_t clear();
    /// Adds this process's counts to the directory's, if there is one. Called by the destructor
    /// too.
    void flush_counters() noexcept;

    const CacheOptions& options() const noexcept;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace kiln::cache
