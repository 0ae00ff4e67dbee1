// SPDX-License-Identifier: Apache-2.0
#include "cache/disk_tier.h"

#include "base/log.h"
#include "cache/cache.h"

#include <kiln/error.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <random>

namespace kiln::cache {

namespace {

constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;
constexpr int short_wait_ms = 500;
constexpr std::size_t most_quarantined = 100;

constexpr std::string_view hint =
    "choose another directory with --cache-dir or KILN_CACHE_DIR, or make this one yours alone "
    "(chmod go-w)";

} // namespace

DiskTier::DiskTier(const CacheOptions& options, base::FileSystem& files,
                   std::atomic<std::uint64_t>& quarantined)
    : options_(options), files_(files), layout_(options.directory), quarantined_(quarantined) {}

void DiskTier::trouble(const std::string& what, const std::string& why) {
    const std::string where =
        layout_.base().empty() ? "the cache" : "the cache " + options_.directory.string();
    const std::string message = fmt::format("{}: {}: {}", where, what, why);
    if (options_.strict)
        throw Error(ErrorCode::cache_unavailable, message, std::string(hint),
                    {{"directory", options_.directory.string()}});
    base::warn_once("cache " + options_.directory.string(),
                    message + "; work goes on without it (" + std::string(hint) + ")");
}

bool DiskTier::is_trusted(const base::FileStatus& status, std::string& why) const {
    constexpr std::uint32_t others_may_write = 022;
    if (status.kind != base::FileKind::directory)
        why = "it is no directory";
    else if (status.owner != ::geteuid() && status.owner != 0)
        why = fmt::format("it belongs to another user (uid {})", status.owner);
    else if ((status.mode & others_may_write) != 0)
        why = fmt::format("others can write it (mode {:04o})", status.mode);
    return why.empty();
}

bool DiskTier::readable() {
    if (layout_.base().empty())
        return false;
    std::error_code error;
    const base::FileStatus status = files_.status(layout_.base(), error);
    if (!error && status.kind == base::FileKind::absent)
        return false;
    std::string why = error ? error.message() : std::string{};
    if (!error && is_trusted(status, why))
        return true;
    trouble("cannot use " + layout_.base().string(), why);
    return false;
}

bool DiskTier::writable() {
    if (!options_.write)
        return false;
    if (layout_.base().empty()) {
        trouble("cannot store", "there is no directory for it (neither XDG_CACHE_HOME nor HOME)");
        return false;
    }
    std::error_code error;
    files_.make_directories(layout_.base(), error);
    if (error) {
        trouble("cannot make " + layout_.base().string(), error.message());
        return false;
    }
    return readable();
}

std::optional<std::vector<std::byte>> DiskTier::read(const Path& path) {
    std::error_code error;
    std::vector<std::byte> bytes = files_.read(path, largest_file, error);
    if (!error)
        return bytes;
    if (error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
        trouble("cannot read " + path.string(), error.message());
    return std::nullopt;
}

bool DiskTier::publish(const Path& path, std::span<const std::byte> bytes, bool replace,
                       bool& failed) {
    std::error_code error;
    const auto attempt = [&] {
        if (replace) {
            base::publish_replace(files_, path, bytes, error);
            return !error;
        }
        return base::publish_new(files_, path, bytes, error);
    };
    bool published = attempt();
    if (error == std::errc::no_such_file_or_directory) {
        files_.make_directories(path.parent_path(), error);
        if (!error)
            published = attempt();
    }
    failed = static_cast<bool>(error);
    if (failed)
        trouble("cannot write " + path.string(), error.message());
    return published && !failed;
}

void DiskTier::quarantine(const Path& path, std::span<const std::byte> seen,
                          const std::string& why) {
    ++quarantined_;
    base::log().warn("{} is damaged and is moved aside: {}", path.string(), why);
    if (!options_.write)
        return;
    std::error_code error;
    const auto held = lock("quarantine", short_wait_ms, error);
    const std::vector<std::byte> now = files_.read(path, largest_file, error);
    if (error || !std::equal(now.begin(), now.end(), seen.begin(), seen.end()))
        return; // somebody was faster
    files_.make_directories(layout_.quarantine(), error);
    const bool full = files_.list(layout_.quarantine(), error).size() >= most_quarantined;
    if (!full) {
        const std::string name =
            fmt::format("{}.{:08x}", path.filename().string(), std::random_device{}());
        files_.rename(path, layout_.quarantine() / name, error);
    }
    // What cannot be kept for an inquest must not stay where it is found either.
    if (full || error)
        files_.remove(path, error);
}

std::optional<Manifest> DiskTier::manifest(const base::Digest& request, bool& damaged) {
    const Path path = layout_.manifest(request);
    const auto bytes = read(path);
    if (!bytes)
        return std::nullopt;
    std::optional<Manifest> manifest = decode_manifest(*bytes, request);
    if (!manifest) {
        damaged = true;
        quarantine(path, *bytes, "no manifest of this request can be read from it");
    }
    return manifest;
}

void DiskTier::update(const base::Digest& request, const std::function<bool(Manifest&)>& change) {
    std::error_code error;
    // Without the lock the last writer wins, and a lost set costs one compile.
    const auto held = lock("manifest-" + request.hex().substr(0, 2), short_wait_ms, error);
    bool damaged = false;
    Manifest manifest = this->manifest(request, damaged).value_or(Manifest{request, {}});
    bool failed = false;
    if (change(manifest))
        publish(layout_.manifest(request), encode_manifest(manifest), true, failed);
}

std::unique_ptr<base::FileSystem::Lock> DiskTier::lock(const std::string& name, int timeout_ms,
                                                       std::error_code& error) {
    const Path path = layout_.lock(name);
    auto held = files_.lock(path, timeout_ms, error);
    if (held == nullptr && error == std::errc::no_such_file_or_directory) {
        files_.make_directories(path.parent_path(), error);
        if (!error)
            held = files_.lock(path, timeout_ms, error);
    }
    return held;
}

} // namespace kiln::cache
