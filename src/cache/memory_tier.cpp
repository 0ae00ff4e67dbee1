// SPDX-License-Identifier: Apache-2.0
#include "cache/memory_tier.h"

namespace kiln::cache {

KnownManifest::KnownManifest(Manifest manifest, std::vector<NamedRoot> roots)
    : manifest_(std::move(manifest)), roots_(std::move(roots)),
      paths_(std::make_unique<Paths[]>(manifest_.sets.size())) {}

const ResolvedSet& KnownManifest::paths(std::size_t set) const {
    Paths& paths = paths_[set];
    std::call_once(paths.once, [&] { paths.set = resolve(manifest_.sets[set].inputs, roots_); });
    return paths.set;
}

std::uint64_t KnownManifest::bytes() const noexcept {
    // A path takes a multiple of its text: its components are kept apart.
    constexpr std::uint64_t path_bytes = 800;
    std::uint64_t total = sizeof *this;
    for (const Manifest::Seen& seen : manifest_.sets) {
        total += sizeof seen + seen.inputs.files.size() * (sizeof(Input) + path_bytes);
        for (const AbsentNames& names : seen.inputs.absent)
            total += sizeof names + names.below.size() + path_bytes;
    }
    return total;
}

MemoryTier::MemoryTier(std::uint64_t bytes) : manifests_(bytes / 4), cubins_(bytes - bytes / 4) {}

std::shared_ptr<const KnownManifest> MemoryTier::manifest(const base::Digest& request) {
    const std::scoped_lock lock(mutex_);
    const auto* found = manifests_.find(request);
    return found == nullptr ? nullptr : *found;
}

void MemoryTier::put(const base::Digest& request, std::shared_ptr<const KnownManifest> manifest) {
    const std::uint64_t bytes = manifest->bytes();
    const std::scoped_lock lock(mutex_);
    manifests_.put(request, std::move(manifest), bytes);
}

std::optional<Cubin> MemoryTier::cubin(const base::Digest& key) {
    const std::scoped_lock lock(mutex_);
    const Cubin* found = cubins_.find(key);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

void MemoryTier::put(const base::Digest& key, Cubin cubin) {
    std::uint64_t bytes = sizeof cubin + cubin.bytes->size();
    for (const KernelInfo& kernel : cubin.kernels)
        bytes += sizeof kernel + kernel.symbol.size() +
                 kernel.parameters.size() * sizeof(KernelParameter);
    const std::scoped_lock lock(mutex_);
    cubins_.put(key, std::move(cubin), bytes);
}

void MemoryTier::clear() {
    const std::scoped_lock lock(mutex_);
    manifests_.clear();
    cubins_.clear();
}

std::uint64_t MemoryTier::bytes() {
    const std::scoped_lock lock(mutex_);
    return manifests_.bytes() + cubins_.bytes();
}

} // namespace kiln::cache
