// SPDX-License-Identifier: Apache-2.0
#include "base/file_lock.h"

#include "base/descriptor.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <new>
#include <thread>

namespace kiln::base {

namespace {

// A lock of the open file description: it excludes other descriptors of this process too, and
// closing an unrelated descriptor of the file does not drop it as it does with POSIX locks.
int set_lock(int descriptor, short type) noexcept {
    struct flock range {};
    range.l_type = type;
    range.l_whence = SEEK_SET;
    if (::fcntl(descriptor, F_OFD_SETLK, &range) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    const int operation = type == F_UNLCK ? LOCK_UN : LOCK_EX | LOCK_NB;
    return ::flock(descriptor, operation) == 0 ? 0 : errno;
}

class HeldLock final : public FileSystem::Lock {
  public:
    explicit HeldLock(Descriptor descriptor) noexcept
        : descriptor_(std::move(descriptor)), owner_(::getpid()) {}
    ~HeldLock() override {
        // A child forked meanwhile shares the lock and may live on: closing would not free it. And
        // that child must not free its parent's.
        if (owner_ == ::getpid())
            set_lock(descriptor_.get(), F_UNLCK);
    }

  private:
    Descriptor descriptor_;
    pid_t owner_;
};

Descriptor open_lock(const char* path) noexcept {
    for (;;) {
        Descriptor file(
            ::open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600));
        if (file || errno != EINTR)
            return file;
    }
}

bool still_named(int descriptor, const char* path) noexcept {
    struct stat held {};
    struct stat named {};
    return ::fstat(descriptor, &held) == 0 && ::stat(path, &named) == 0 &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

} // namespace

std::unique_ptr<FileSystem::Lock> lock_file(const char* path, int timeout_ms,
                                            std::error_code& error) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::milliseconds(std::max(timeout_ms, 0));
    auto pause = std::chrono::microseconds(500);
    constexpr auto longest_pause = std::chrono::microseconds(20'000);

    error.clear();
    Descriptor file;
    for (;;) {
        if (!file) {
            file = open_lock(path);
            if (!file) {
                error.assign(errno, std::generic_category());
                return nullptr;
            }
        }
        const int failure = set_lock(file.get(), F_WRLCK);
        if (failure == 0) {
            if (still_named(file.get(), path)) {
                auto lock = std::unique_ptr<HeldLock>(new (std::nothrow) HeldLock(std::move(file)));
                if (lock == nullptr)
                    error = std::make_error_code(std::errc::not_enough_memory);
                return lock;
            }
            file.reset();
        } else if (failure != EAGAIN && failure != EACCES && failure != EINTR) {
            error.assign(failure, std::generic_category());
            return nullptr;
        }
        const auto now = Clock::now();
        if (now >= deadline) {
            error = std::make_error_code(std::errc::timed_out);
            return nullptr;
        }
        if (failure != 0) {
            std::this_thread::sleep_for(std::min<Clock::duration>(pause, deadline - now));
            pause = std::min(2 * pause, longest_pause);
        }
    }
}

} // namespace kiln::base
