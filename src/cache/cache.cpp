// SPDX-License-Identifier: Apache-2.0
#include "cache/cache.h"

#include "base/log.h"
#include "cache/latest.h"
#include "cache/state.h"
#include "cubin/inspect.h"

#include <kiln/error.h>

#include <chrono>

namespace kiln::cache {

namespace {

using Clock = std::chrono::steady_clock;

int milliseconds_until(Clock::time_point deadline) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::max<std::int64_t>(left, 0));
}

/// Both locks of a flight: among threads, and among processes where files can be locked.
class FlightLock final : public base::FileSystem::Lock {
  public:
    FlightLock(std::unique_ptr<Flights::Token> token, std::unique_ptr<Lock> file,
               base::FileSystem& files, std::filesystem::path path)
        : token_(std::move(token)), file_(std::move(file)), files_(files), path_(std::move(path)) {}
    ~FlightLock() override {
        // Removed while it is held, or lock files would pile up; who waits for it takes another.
        std::error_code error;
        if (file_ != nullptr)
            files_.remove(path_, error);
    }

  private:
    std::unique_ptr<Flights::Token> token_;
    std::unique_ptr<Lock> file_;
    base::FileSystem& files_;
    std::filesystem::path path_;
};

/// The image as it is stored: this one, or the one that was there first. Empty path: not stored.
std::filesystem::path publish_entry(DiskTier& disk, Entry& entry, const base::Digest& key) {
    std::filesystem::path path = disk.layout().entry(key, entry.metadata.target);
    const std::vector<std::byte> file = encode_entry(entry.metadata, entry.image);
    bool failed = false;
    if (disk.publish(path, file, false, failed))
        return path;
    if (failed)
        return {};
    // The first wins, for all who share the directory; but not with a damaged file.
    if (auto first = disk.read(path)) {
        try {
            entry = decode_entry(std::move(*first), entry.metadata.key, entry.metadata.target);
            return path;
        } catch (const Error& error) {
            disk.quarantine(path, *first, error.message());
        }
    }
    return disk.publish(path, file, true, failed) ? path : std::filesystem::path{};
}

base::Digest unkeyed(const base::Digest& request, std::span<const std::byte> image) {
    base::Hasher hasher;
    hasher.field("request", request.hex());
    hasher.field("image", base::sha256(image).hex());
    return hasher.finish();
}

} // namespace

Cache::State::State(CacheOptions cache_options, base::FileSystem& file_system,
                    base::DigestCache& digest_cache)
    : options(std::move(cache_options)), files(file_system), digests(digest_cache),
      disk(options, files, counters.quarantined), memory(options.memory_bytes) {}

Cache::Cache(CacheOptions options, base::FileSystem& files, base::DigestCache& digests)
    : state_(std::make_unique<State>(std::move(options), files, digests)) {}

Cache::~Cache() {
    flush_counters();
}

Cache::Lookup Cache::find(const Request& request, bool again) {
    return state_->find(request, again);
}

Cubin Cache::store(const Request& request, const std::optional<InputSet>& inputs, Metadata metadata,
                   std::vector<std::byte> image) {
    std::vector<std::string> symbols;
    for (const KernelInfo& kernel : metadata.kernels)
        symbols.push_back(kernel.symbol);
    cubin::verify(cubin::inspect(image), request.target, symbols);
    ++state_->counters.compiles;

    const base::Digest digest = request.digest();
    const base::Digest key = inputs ? inputs->key(digest) : unkeyed(digest, image);
    metadata.key = key.hex();
    metadata.target = request.target;
    metadata.label = request.label;
    if (metadata.created_ns == 0)
        metadata.created_ns = base::wall_clock_ns();
    if (metadata.fields.empty())
        metadata.fields = request.fields;
    Entry entry{std::move(metadata), std::move(image)};
    if (!inputs)
        return make_cubin(std::move(entry), {}, Tier::compiled);

    Manifest manifest{digest, {}};
    if (const auto known = state_->memory.manifest(digest))
        manifest = known->manifest();
    manifest.remember({*inputs, key});
    std::filesystem::path path;
    DiskTier& disk = state_->disk;
    if (disk.writable()) {
        path = publish_entry(disk, entry, key);
        if (!path.empty()) {
            disk.update(digest, [&](Manifest& stored) {
                stored.remember({*inputs, key});
                manifest = stored;
                return true;
            });
            bool failed = false;
            disk.publish(disk.layout().latest(latest_subject(request)),
                         encode_latest(Latest::of(request)), true, failed);
        }
    }
    Cubin cubin = make_cubin(std::move(entry), path, Tier::memory);
    if (state_->options.read) {
        state_->memory.put(
            digest, std::make_shared<const KnownManifest>(std::move(manifest), request.roots));
        state_->memory.put(key, cubin);
    }
    cubin.tier = Tier::compiled;
    return cubin;
}

std::unique_ptr<base::FileSystem::Lock> Cache::single_flight(const Request& request,
                                                             int timeout_ms) {
    constexpr int silent_ms = 3000;
    const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
    const base::Digest digest = request.digest();
    auto token = state_->flights.take(digest, deadline);
    if (token == nullptr)
        return nullptr;

    std::unique_ptr<base::FileSystem::Lock> file;
    DiskTier& disk = state_->disk;
    if (!state_->options.directory.empty() && disk.writable()) {
        std::error_code error;
        const int left = milliseconds_until(deadline);
        file = disk.lock(digest.hex(), std::min(left, silent_ms), error);
        if (file == nullptr && error == std::errc::timed_out && left > silent_ms) {
            base::log().warn("waiting for another process that compiles {} for {}", request.label,
                             request.target.str());
            file = disk.lock(digest.hex(), milliseconds_until(deadline), error);
        }
        if (file == nullptr && error == std::errc::timed_out) {
            base::log().warn("another process has compiled {} for {} too long; compiling it here",
                             request.label, request.target.str());
            return nullptr;
        }
        if (file == nullptr)
            base::warn_once("locks " + state_->options.directory.string(),
                            "the cache " + state_->options.directory.string() +
                                " cannot be locked: " + error.message() +
                                "; several processes may compile the same");
    }
    return std::make_unique<FlightLock>(std::move(token), std::move(file), state_->files,
                                        disk.layout().lock(digest.hex()));
}

void Cache::flush_counters() noexcept {
    try {
        const Counters counted = state_->counters.read();
        if (counted == Counters{} || !state_->options.write || !state_->disk.readable())
            return;
        write_counters(state_->disk, state_->counters.take());
    } catch (const std::exception&) {
        // Counts are worth no trouble.
    }
}

const CacheOptions& Cache::options() const noexcept {
    return state_->options;
}

} // namespace kiln::cache
