// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace kiln::base {

/// What stat says that a change of contents changes too. Equal stamps mean equal contents, unless
/// the file was written within the clock's grain (see `settled`). ctime is what a reinstall with
/// fixed times cannot forge.
struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t mtime_ns = 0;
    std::int64_t ctime_ns = 0;
    bool operator==(const FileStamp&) const = default;
};

enum class FileKind { absent, regular, directory, other };

struct FileStatus {
    FileKind kind = FileKind::absent;
    FileStamp stamp;
    std::uint32_t owner = 0; ///< uid
    std::uint32_t mode = 0;  ///< permission bits
};

/// The seam through which the cache and all that reads sources touch the disk, so that faults can
/// be injected. All calls are safe from many threads. Failures are error codes, never exceptions.
class FileSystem {
  public:
    using Path = std::filesystem::path;
    virtual ~FileSystem() = default;

    /// Follows links. `absent` without an error for ENOENT and ENOTDIR.
    virtual FileStatus status(const Path& path, std::error_code& error) = 0;
    /// The whole of a regular file (never a FIFO or device), at most `limit` bytes; EFBIG beyond.
    virtual std::vector<std::byte> read(const Path& path, std::uint64_t limit,
                                        std::error_code& error) = 0;
    /// A new file that must not exist yet (O_EXCL), mode 0600 less umask, not synced. Nothing is
    /// left of it after an error.
    virtual void write_new(const Path& path, std::span<const std::byte> bytes,
                           std::error_code& error) = 0;
    /// Hard link; EEXIST if `to` exists.
    virtual void link(const Path& from, const Path& to, std::error_code& error) = 0;
    /// Replaces `to`.
    virtual void rename(const Path& from, const Path& to, std::error_code& error) = 0;
    /// Rename that fails with EEXIST where `to` exists.
    virtual void rename_new(const Path& from, const Path& to, std::error_code& error) = 0;
    /// A file or an empty directory; ENOENT where there is none.
    virtual void remove(const Path& path, std::error_code& error) = 0;
    /// With parents, mode 0700; no error if it is there.
    virtual void make_directories(const Path& path, std::error_code& error) = 0;
    /// Names in a directory, without `.` and `..`, sorted.
    virtual std::vector<std::string> list(const Path& path, std::error_code& error) = 0;

    /// An advisory exclusive lock that the kernel gives back when the holder dies.
    class Lock {
      public:
        virtual ~Lock() = default;
    };
    /// Waits at most `timeout_ms`; null with ETIMEDOUT when it could not be had in that time, and
    /// with another error where it can never be had (locks unsupported, no right to the file).
    /// Excludes threads of this process and other processes alike. The file is made with mode
    /// 0600 and stays; if somebody removes it meanwhile, the lock is taken on its successor.
    virtual std::unique_ptr<Lock> lock(const Path& path, int timeout_ms,
                                       std::error_code& error) = 0;
};

/// The real one: stateless, lives as long as the process.
FileSystem& real_file_system() noexcept;

/// Nanoseconds since the epoch.
std::int64_t wall_clock_ns() noexcept;

/// Whether a stamp read at `now_ns` can be trusted for the future: its times lie at least 2 s
/// back (a coarse clock or a racing write could otherwise leave the stamp equal).
bool settled(const FileStamp& stamp, std::int64_t now_ns) noexcept;

/// Files of this prefix are private names of `publish_new` and `publish_replace`: what a killed
/// process left can be swept by age.
inline constexpr std::string_view staging_prefix = ".staging-";

/// Writes the whole contents under a private name beside `path` and publishes it by link, so that
/// no reader sees a part and the first wins; by rename where links are refused. Returns false
/// where `path` was there first (that is success). Error in `error`; nothing is left behind then.
/// The directory must exist. Where neither link nor exclusive rename are supported, the last of
/// several concurrent writers wins and each of them is told true.
bool publish_new(FileSystem& files, const std::filesystem::path& path,
                 std::span<const std::byte> bytes, std::error_code& error);
/// The same for a file that is to be replaced (rename; the last wins).
void publish_replace(FileSystem& files, const std::filesystem::path& path,
                     std::span<const std::byte> bytes, std::error_code& error);

/// A text file; throws Error(io) naming path and cause.
std::string read_text(FileSystem& files, const std::filesystem::path& path,
                      std::uint64_t limit = 256u << 20);

} // namespace kiln::base
