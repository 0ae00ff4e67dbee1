// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/inputs.h"
#include "cache/manifest.h"

#include <kiln/cubin.h>

#include <cstdint>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace kiln::cache {

/// A manifest with the paths that its names stand for under one request's roots. Thread-safe.
class KnownManifest {
  public:
    KnownManifest(Manifest manifest, std::vector<NamedRoot> roots);

    const Manifest& manifest() const noexcept { return manifest_; }
    const std::vector<NamedRoot>& roots() const noexcept { return roots_; }
    /// Of one set; worked out when it is first asked for, since most lookups need the newest alone.
    const ResolvedSet& paths(std::size_t set) const;
    std::uint64_t bytes() const noexcept; ///< roughly, with all paths

  private:
    struct Paths {
        std::once_flag once;
        ResolvedSet set;
    };
    Manifest manifest_;
    std::vector<NamedRoot> roots_;
    std::unique_ptr<Paths[]> paths_; ///< of each set
};

/// A map that drops what was used longest ago when its values pass a number of bytes. Not
/// thread-safe.
template <typename Value>
class ByteBoundedMap {
  public:
    explicit ByteBoundedMap(std::uint64_t limit) : limit_(limit) {}

    const Value* find(const base::Digest& key) {
        const auto found = places_.find(key);
        if (found == places_.end())
            return nullptr;
        items_.splice(items_.begin(), items_, found->second);
        return &found->second->value;
    }
    void put(const base::Digest& key, Value value, std::uint64_t bytes) {
        remove(key);
        if (bytes > limit_)
            return;
        items_.push_front({key, std::move(value), bytes});
        places_.emplace(key, items_.begin());
        bytes_ += bytes;
        while (bytes_ > limit_)
            remove(base::Digest(items_.back().key));
    }
    void remove(const base::Digest& key) {
        const auto found = places_.find(key);
        if (found == places_.end())
            return;
        bytes_ -= found->second->bytes;
        items_.erase(found->second);
        places_.erase(found);
    }
    void clear() {
        places_.clear();
        items_.clear();
        bytes_ = 0;
    }
    std::uint64_t bytes() const noexcept { return bytes_; }

  private:
    struct Item {
        base::Digest key;
        Value value;
        std::uint64_t bytes;
    };
    struct Hash {
        std::size_t operator()(const base::Digest& digest) const noexcept {
            std::size_t hash = 0;
            std::memcpy(&hash, digest.bytes.data(), sizeof hash);
            return hash;
        }
    };
    std::uint64_t limit_;
    std::uint64_t bytes_ = 0;
    std::list<Item> items_; ///< last used first
    std::unordered_map<base::Digest, typename std::list<Item>::iterator, Hash> places_;
};

/// What this process has seen: manifests by request, cubins by key. Thread-safe; its lock is never
/// held while a file is touched.
class MemoryTier {
  public:
    /// A quarter of `bytes` is for manifests.
    explicit MemoryTier(std::uint64_t bytes);

    std::shared_ptr<const KnownManifest> manifest(const base::Digest& request);
    void put(const base::Digest& request, std::shared_ptr<const KnownManifest> manifest);
    std::optional<Cubin> cubin(const base::Digest& key);
    void put(const base::Digest& key, Cubin cubin);
    void clear();
    std::uint64_t bytes();

  private:
    std::mutex mutex_;
    ByteBoundedMap<std::shared_ptr<const KnownManifest>> manifests_;
    ByteBoundedMap<Cubin> cubins_;
};

} // namespace kiln::cache
