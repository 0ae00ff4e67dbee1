// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/cache.h"
#include "cache/counters.h"
#include "cache/disk_tier.h"
#include "cache/flights.h"
#include "cache/memory_tier.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace kiln::cache {

struct Cache::State {
    State(CacheOptions cache_options, base::FileSystem& file_system,
          base::DigestCache& digest_cache);

    // lookup.cpp
    Lookup find(const Request& request, bool again);

    // inventory.cpp
    /// Every file that is named and placed as an entry; links are passed over.
    void each_entry(const std::function<void(const std::filesystem::path& path,
                                             const std::string& target)>& visit);

    const CacheOptions options;
    base::FileSystem& files;
    base::DigestCache& digests;
    LiveCounters counters;
    DiskTier disk;
    MemoryTier memory;
    Flights flights;

  private:
    struct Search;
    std::optional<Cubin> try_sets(Search& search, const KnownManifest& known);
    std::optional<Cubin> load(Search& search, const base::Digest& key);
    std::shared_ptr<const KnownManifest> remember(Search& search, Manifest manifest);
    void refresh(Search& search, const KnownManifest& known, std::size_t set,
                 const std::vector<Refresh>& refreshes);
    std::string difference(const Request& request);
};

/// An entry as what the service hands out.
Cubin make_cubin(Entry entry, const std::filesystem::path& path, Tier tier);

} // namespace kiln::cache
