// SPDX-License-Identifier: Apache-2.0
#include "cache/latest.h"
#include "cache/state.h"

#include <kiln/error.h>

#include <algorithm>

namespace kiln::cache {

/// One lookup under way.
struct Cache::State::Search {
    const Request& request;
    base::Digest digest;
    std::string reason; ///< the first difference that was met
    void differs(std::string why) {
        if (reason.empty())
            reason = std::move(why);
    }
};

Cubin make_cubin(Entry entry, const std::filesystem::path& path, Tier tier) {
    Cubin cubin;
    cubin.target = entry.metadata.target;
    cubin.key = std::move(entry.metadata.key);
    cubin.entry = path.string();
    cubin.tier = tier;
    cubin.kernels = std::move(entry.metadata.kernels);
    cubin.toolkit = std::move(entry.metadata.toolkit);
    cubin.ptx = std::move(entry.metadata.ptx);
    cubin.bytes = std::make_shared<const std::vector<std::byte>>(std::move(entry.image));
    return cubin;
}

std::shared_ptr<const KnownManifest> Cache::State::remember(Search& search, Manifest manifest) {
    auto known = std::make_shared<const KnownManifest>(std::move(manifest), search.request.roots);
    memory.put(search.digest, known);
    return known;
}

std::optional<Cubin> Cache::State::load(Search& search, const base::Digest& key) {
    if (auto cubin = memory.cubin(key)) {
        ++counters.memory_hits;
        return cubin;
    }
    if (!disk.readable())
        return std::nullopt;
    const std::filesystem::path path = disk.layout().entry(key, search.request.target);
    auto bytes = disk.read(path);
    if (!bytes) {
        search.differs("the entry is gone");
        return std::nullopt;
    }
    try {
        Cubin cubin = make_cubin(decode_entry(std::move(*bytes), key.hex(), search.request.target),
                                 path, Tier::memory);
        memory.put(key, cubin);
        cubin.tier = Tier::disk;
        ++counters.disk_hits;
        return cubin;
    } catch (const Error& error) {
        // Nothing was taken out of `bytes`: a damaged entry is refused before.
        disk.quarantine(path, *bytes, error.message());
        search.differs("the entry was damaged");
        return std::nullopt;
    }
}

void Cache::State::refresh(Search& search, const KnownManifest& known, std::size_t set,
                           const std::vector<Refresh>& refreshes) {
    const auto apply = [&](InputSet& inputs) {
        for (const Refresh& refresh : refreshes) {
            Input& file = inputs.files[refresh.file];
            file.stamp = refresh.stamp;
            file.settled = refresh.settled;
        }
    };
    Manifest manifest = known.manifest();
    apply(manifest.sets[set].inputs);
    const base::Digest key = manifest.sets[set].key;
    const std::size_t files_of_set = manifest.sets[set].inputs.files.size();
    remember(search, std::move(manifest));
    if (!options.write || !disk.readable())
        return;
    disk.update(search.digest, [&](Manifest& stored) {
        const auto same = std::find_if(stored.sets.begin(), stored.sets.end(),
                                       [&](const Manifest::Seen& seen) { return seen.key == key; });
        // Equal keys have equal files, in the same order.
        if (same == stored.sets.end() || same->inputs.files.size() != files_of_set)
            return false;
        apply(same->inputs);
        return true;
    });
}

std::optional<Cubin> Cache::State::try_sets(Search& search, const KnownManifest& known) {
    for (std::size_t i = 0; i < known.manifest().sets.size(); ++i) {
        const Manifest::Seen& seen = known.manifest().sets[i];
        std::vector<Refresh> refreshes;
        const Validation validation =
            validate(seen.inputs, known.paths(i), files, digests, refreshes);
        if (!validation.same) {
            search.differs(validation.changed);
            continue;
        }
        auto cubin = load(search, seen.key);
        if (!cubin)
            continue;
        if (validation.refreshed)
            refresh(search, known, i, refreshes);
        return cubin;
    }
    return std::nullopt;
}

/// By the record of what the label was last stored with for this target.
std::string Cache::State::difference(const Request& request) {
    const std::filesystem::path path = disk.layout().latest(latest_subject(request));
    const auto bytes = disk.read(path);
    const auto latest = bytes ? decode_latest(*bytes, request) : std::nullopt;
    if (bytes && !latest)
        disk.quarantine(path, *bytes, "no record of this label and target can be read from it");
    return latest ? first_difference(*latest, Latest::of(request)) : "never seen";
}

Cache::Lookup Cache::State::find(const Request& request, bool again) {
    if (!options.read)
        return {std::nullopt, "the cache is off"};
    Search search{request, request.digest(), {}};
    std::shared_ptr<const KnownManifest> known = memory.manifest(search.digest);
    if (known && known->roots() != request.roots)
        known = remember(search, known->manifest());
    if (known) {
        if (auto cubin = try_sets(search, *known))
            return {std::move(cubin), {}};
    }

    if (disk.readable()) {
        bool damaged = false;
        if (auto stored = disk.manifest(search.digest, damaged)) {
            // Another process may have seen sets that this one has not.
            const bool is_news =
                !known ||
                std::any_of(
                    stored->sets.begin(), stored->sets.end(), [&](const Manifest::Seen& seen) {
                        return std::none_of(known->manifest().sets.begin(),
                                            known->manifest().sets.end(),
                                            [&](const auto& old) { return old.key == seen.key; });
                    });
            if (is_news) {
                search.reason.clear();
                known = remember(search, std::move(*stored));
                if (auto cubin = try_sets(search, *known))
                    return {std::move(cubin), {}};
            }
        }
        if (damaged)
            search.differs("the manifest was damaged");
        if (search.reason.empty())
            search.reason = difference(request);
    }
    search.differs("never seen");
    if (!again)
        ++counters.misses;
    const std::string source = to_logical(request.source, request.roots).str();
    if (search.reason == source + " changed")
        search.reason = "source: contents changed";
    return {std::nullopt, std::move(search.reason)};
}

} // namespace kiln::cache
