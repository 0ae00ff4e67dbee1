// SPDX-License-Identifier: Apache-2.0
#include "base/digest_cache.h"

#include "base/digest_store.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace kiln::base {

namespace {

struct FileId {
    std::uint64_t device;
    std::uint64_t inode;
    bool operator==(const FileId&) const = default;
};

struct FileIdHash {
    std::size_t operator()(const FileId& id) const noexcept {
        return id.inode * 0x9E3779B97F4A7C15u ^ id.device;
    }
};

} // namespace

struct DigestCache::State {
    State(FileSystem& files, std::filesystem::path directory)
        : files(files), store(files, std::move(directory)) {}

    std::optional<Digest> recall(const FileStamp& stamp) const {
        const std::shared_lock lock(mutex);
        const auto found = known.find({stamp.device, stamp.inode});
        if (found == known.end() || found->second.stamp != stamp)
            return std::nullopt;
        return found->second.digest;
    }
    void keep(const FileStamp& stamp, const Digest& digest) {
        const std::unique_lock lock(mutex);
        known.insert_or_assign(FileId{stamp.device, stamp.inode}, Known{stamp, digest});
    }

    struct Known {
        FileStamp stamp;
        Digest digest;
    };
    FileSystem& files;
    DigestStore store;
    mutable std::shared_mutex mutex;
    std::unordered_map<FileId, Known, FileIdHash> known;
};

DigestCache::DigestCache(FileSystem& files, std::filesystem::path directory)
    : state_(std::make_unique<State>(files, std::move(directory))) {}

DigestCache::~DigestCache() = default;

std::optional<DigestCache::Entry> DigestCache::digest(const std::filesystem::path& path,
                                                      bool persist) {
    constexpr std::uint64_t largest = std::uint64_t{4} << 30;
    constexpr int attempts = 3;
    for (int i = 0; i < attempts; ++i) {
        std::error_code error;
        const std::int64_t now = wall_clock_ns();
        const FileStatus before = state_->files.status(path, error);
        if (error || before.kind != FileKind::regular)
            return std::nullopt;
        const FileStamp& stamp = before.stamp;
        if (const auto known = state_->recall(stamp))
            return Entry{stamp, *known, true};
        const bool trusted = kiln::base::settled(stamp, now);
        if (persist && trusted) {
            if (const auto stored = state_->store.load(stamp)) {
                state_->keep(stamp, *stored);
                return Entry{stamp, *stored, true};
            }
        }
        const auto bytes = state_->files.read(path, largest, error);
        if (error)
            return std::nullopt;
        const FileStatus after = state_->files.status(path, error);
        if (error)
            return std::nullopt;
        if (after.kind != FileKind::regular || after.stamp != stamp || bytes.size() != stamp.size)
            continue;
        const Digest digest = sha256(bytes);
        if (trusted) {
            state_->keep(stamp, digest);
            if (persist)
                state_->store.save(stamp, digest);
        }
        return Entry{stamp, digest, trusted};
    }
    return std::nullopt;
}

void DigestCache::remember(const FileStamp& stamp, const Digest& digest,
                           std::int64_t stamped_at_ns) {
    if (settled(stamp, stamped_at_ns))
        state_->keep(stamp, digest);
}

} // namespace kiln::base
