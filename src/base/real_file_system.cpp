// SPDX-License-Identifier: Apache-2.0
#include "base/descriptor.h"
#include "base/file_lock.h"
#include "base/file_size_signal.h"
#include "base/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace kiln::base {

namespace {

using Path = std::filesystem::path;

std::int64_t nanoseconds(const timespec& time) noexcept {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void set(std::error_code& error, int number) noexcept {
    error.assign(number, std::generic_category());
}

// A NUL inside would silently name another file.
bool usable(const Path& path, std::error_code& error) noexcept {
    error.clear();
    if (path.native().find('\0') == Path::string_type::npos)
        return true;
    set(error, EINVAL);
    return false;
}

void settle(int result, std::error_code& error) noexcept {
    if (result != 0)
        set(error, errno);
}

Descriptor open_file(const Path& path, int flags, std::error_code& error) noexcept {
    for (;;) {
        Descriptor file(::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, 0600));
        if (file)
            return file;
        if (errno != EINTR) {
            set(error, errno);
            return file;
        }
    }
}

// The size is a hint: the file may grow or shrink while it is read, and /proc says 0.
std::vector<std::byte> read_all(int file, std::uint64_t expected, std::uint64_t limit,
                                std::error_code& error) {
    std::vector<std::byte> bytes(std::min(expected, limit) + 1);
    std::size_t filled = 0;
    for (;;) {
        if (filled == bytes.size())
            bytes.resize(2 * filled + 4096);
        const ssize_t count = ::read(file, bytes.data() + filled, bytes.size() - filled);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            set(error, errno);
            return {};
        }
        filled += static_cast<std::size_t>(count);
        if (filled > limit) {
            set(error, EFBIG);
            return {};
        }
        if (count == 0) {
            bytes.resize(filled);
            return bytes;
        }
    }
}

int write_all(int file, std::span<const std::byte> bytes) noexcept {
    while (!bytes.empty()) {
        const ssize_t count = ::write(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count < 0 ? errno : EIO;
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return 0;
}

class RealFileSystem final : public FileSystem {
  public:
    FileStatus status(const Path& path, std::error_code& error) override {
        FileStatus status;
        struct stat found {};
        if (!usable(path, error))
            return status;
        if (::stat(path.c_str(), &found) != 0) {
            if (errno != ENOENT && errno != ENOTDIR)
                set(error, errno);
            return status;
        }
        status.kind = S_ISREG(found.st_mode)   ? FileKind::regular
                      : S_ISDIR(found.st_mode) ? FileKind::directory
                                               : FileKind::other;
        status.stamp = {found.st_dev, found.st_ino, static_cast<std::uint64_t>(found.st_size),
                        nanoseconds(found.st_mtim), nanoseconds(found.st_ctim)};
        status.owner = found.st_uid;
        status.mode = found.st_mode & 07777u;
        return status;
    }

    std::vector<std::byte> read(const Path& path, std::uint64_t limit,
                                std::error_code& error) override {
        if (!usable(path, error))
            return {};
        // Opening a FIFO must not wait for its other end.
        const Descriptor file = open_file(path, O_RDONLY | O_NONBLOCK, error);
        if (!file)
            return {};
        struct stat found {};
        if (::fstat(file.get(), &found) != 0) {
            set(error, errno);
            return {};
        }
        if (!S_ISREG(found.st_mode)) {
            set(error, S_ISDIR(found.st_mode) ? EISDIR : EINVAL);
            return {};
        }
        const auto size = static_cast<std::uint64_t>(found.st_size);
        if (size > limit) {
            set(error, EFBIG);
            return {};
        }
        try {
            return read_all(file.get(), size, limit, error);
        } catch (const std::exception&) {
            set(error, ENOMEM);
            return {};
        }
    }

    void write_new(const Path& path, std::span<const std::byte> bytes,
                   std::error_code& error) override {
        if (!usable(path, error))
            return;
        Descriptor file = open_file(path, O_WRONLY | O_CREAT | O_EXCL, error);
        if (!file)
            return;
        int failure = 0;
        {
            const FileSizeSignalHeld held;
            failure = write_all(file.get(), bytes);
        }
        // Network file systems report a full disk or quota only here.
        if (::close(file.release()) != 0 && failure == 0 && errno != EINTR)
            failure = errno;
        if (failure != 0) {
            ::unlink(path.c_str());
            set(error, failure);
        }
    }

    void link(const Path& from, const Path& to, std::error_code& error) override {
        if (usable(from, error) && usable(to, error))
            settle(::link(from.c_str(), to.c_str()), error);
    }

    void rename(const Path& from, const Path& to, std::error_code& error) override {
        if (usable(from, error) && usable(to, error))
            settle(::rename(from.c_str(), to.c_str()), error);
    }

    void rename_new(const Path& from, const Path& to, std::error_code& error) override {
        if (usable(from, error) && usable(to, error))
            settle(::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE),
                   error);
    }

    void remove(const Path& path, std::error_code& error) override {
        if (usable(path, error))
            settle(::remove(path.c_str()), error);
    }

    void make_directories(const Path& path, std::error_code& error) override {
        if (!usable(path, error) || ::mkdir(path.c_str(), 0700) == 0)
            return;
        if (errno == ENOENT && path.has_parent_path() && path.parent_path() != path) {
            make_directories(path.parent_path(), error);
            if (error || ::mkdir(path.c_str(), 0700) == 0)
                return;
        }
        // Whatever the cause (there already, a read-only parent): a directory is what was asked.
        const int failure = errno;
        struct stat found {};
        if (::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode))
            return;
        set(error, failure == EEXIST ? ENOTDIR : failure);
    }

    std::vector<std::string> list(const Path& path, std::error_code& error) override {
        std::vector<std::string> names;
        if (!usable(path, error))
            return names;
        const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), ::closedir);
        if (directory == nullptr) {
            set(error, errno);
            return names;
        }
        try {
            for (errno = 0; const dirent* entry = ::readdir(directory.get()); errno = 0) {
                const std::string_view name = entry->d_name;
                if (name != "." && name != "..")
                    names.emplace_back(name);
            }
            if (errno != 0)
                set(error, errno);
            std::sort(names.begin(), names.end());
        } catch (const std::bad_alloc&) {
            names.clear();
            set(error, ENOMEM);
        }
        return names;
    }

    std::unique_ptr<Lock> lock(const Path& path, int timeout_ms, std::error_code& error) override {
        if (!usable(path, error))
            return nullptr;
        return lock_file(path.c_str(), timeout_ms, error);
    }
};

} // namespace

FileSystem& real_file_system() noexcept {
    // Never destroyed: threads of the host may outlive static destruction.
    static FileSystem* const files = new RealFileSystem;
    return *files;
}

} // namespace kiln::base
