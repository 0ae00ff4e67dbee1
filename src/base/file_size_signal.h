// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <ctime>

namespace kiln::base {

/// While it lives, a write beyond the limit on file sizes (RLIMIT_FSIZE) fails with EFBIG in this
/// thread and does not end the process with SIGXFSZ. Nothing of the host's is changed: its handler
/// stays, and so does a signal that was pending before. Ends in the thread that it began in.
class FileSizeSignalHeld {
  public:
    FileSizeSignalHeld() noexcept {
        ::sigemptyset(&signal_);
        ::sigaddset(&signal_, SIGXFSZ);
        sigset_t pending;
        ::sigemptyset(&pending);
        ::sigpending(&pending);
        was_pending_ = ::sigismember(&pending, SIGXFSZ) == 1;
        held_ = ::pthread_sigmask(SIG_BLOCK, &signal_, &before_) == 0;
    }
    ~FileSizeSignalHeld() {
        if (!held_)
            return;
        // The kernel sends it to the thread that wrote, before that write returns.
        const timespec at_once{};
        if (!was_pending_)
            ::sigtimedwait(&signal_, nullptr, &at_once);
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    FileSizeSignalHeld(const FileSizeSignalHeld&) = delete;
    FileSizeSignalHeld& operator=(const FileSizeSignalHeld&) = delete;

  private:
    sigset_t signal_{};
    sigset_t before_{};
    bool was_pending_ = false;
    bool held_ = false;
};

} // namespace kiln::base
