// SPDX-License-Identifier: Apache-2.0
#include "base/file_system.h"

#include <kiln/error.h>

#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <ctime>

namespace kiln::base {

namespace {

using Path = std::filesystem::path;

// The random part tells apart processes of several hosts or containers, where pids coincide.
std::string staging_name() {
    static std::atomic<std::uint64_t> counter{0};
    const std::uint64_t count = counter.fetch_add(1, std::memory_order_relaxed);
    std::uint64_t random = 0;
    if (::getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
        random = static_cast<std::uint64_t>(wall_clock_ns());
    char name[80];
    std::snprintf(name, sizeof name, "%d-%" PRIx64 "-%016" PRIx64, ::getpid(), count, random);
    return std::string(staging_prefix) + name;
}

/// A private file that is gone when the object is, unless it was renamed away.
class Staged {
  public:
    Staged(FileSystem& files, const Path& target, std::span<const std::byte> bytes,
           std::error_code& error)
        : files_(files) {
        constexpr int attempts = 4;
        for (int i = 0; i < attempts; ++i) {
            path_ = target.parent_path() / staging_name();
            files.write_new(path_, bytes, error);
            if (error != std::errc::file_exists)
                break;
        }
        written_ = !error;
    }
    Staged(const Staged&) = delete;
    Staged& operator=(const Staged&) = delete;
    ~Staged() {
        if (!written_)
            return;
        std::error_code ignored;
        files_.remove(path_, ignored);
    }

    const Path& path() const noexcept { return path_; }
    void renamed() noexcept { written_ = false; }

  private:
    FileSystem& files_;
    Path path_;
    bool written_ = false;
};

bool refused(const std::error_code& error) noexcept {
    return error == std::errc::operation_not_permitted || error == std::errc::not_supported ||
           error == std::errc::operation_not_supported || error == std::errc::too_many_links ||
           error == std::errc::function_not_supported || error == std::errc::invalid_argument;
}

bool same_file(FileSystem& files, const Path& a, const Path& b) {
    std::error_code error;
    const FileStatus first = files.status(a, error);
    if (error || first.kind != FileKind::regular)
        return false;
    const FileStatus second = files.status(b, error);
    return !error && second.kind == FileKind::regular &&
           first.stamp.device == second.stamp.device && first.stamp.inode == second.stamp.inode;
}

bool publish_by_rename(FileSystem& files, Staged& staged, const Path& path,
                       std::error_code& error) {
    files.rename_new(staged.path(), path, error);
    if (refused(error)) {
        const FileStatus there = files.status(path, error);
        if (error)
            return false;
        if (there.kind != FileKind::absent)
            return false;
        files.rename(staged.path(), path, error);
    }
    if (error == std::errc::file_exists) {
        error.clear();
        return false;
    }
    if (error)
        return false;
    staged.renamed();
    return true;
}

} // namespace

bool publish_new(FileSystem& files, const Path& path, std::span<const std::byte> bytes,
                 std::error_code& error) {
    error.clear();
    Staged staged(files, path, bytes, error);
    if (error)
        return false;
    files.link(staged.path(), path, error);
    if (!error)
        return true;
    if (error == std::errc::file_exists) {
        error.clear();
        // A network file system may have done the link and lost its answer.
        return same_file(files, staged.path(), path);
    }
    if (!refused(error))
        return false;
    return publish_by_rename(files, staged, path, error);
}

void publish_replace(FileSystem& files, const Path& path, std::span<const std::byte> bytes,
                     std::error_code& error) {
    error.clear();
    Staged staged(files, path, bytes, error);
    if (error)
        return;
    files.rename(staged.path(), path, error);
    if (!error)
        staged.renamed();
}

std::int64_t wall_clock_ns() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

bool settled(const FileStamp& stamp, std::int64_t now_ns) noexcept {
    constexpr std::int64_t grain_ns = 2'000'000'000;
    return stamp.mtime_ns <= now_ns - grain_ns && stamp.ctime_ns <= now_ns - grain_ns;
}

std::string read_text(FileSystem& files, const Path& path, std::uint64_t limit) {
    std::error_code error;
    const auto bytes = files.read(path, limit, error);
    if (error)
        throw Error(ErrorCode::io, "cannot read " + path.string() + ": " + error.message(), {},
                    {{"path", path.string()}});
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

} // namespace kiln::base
