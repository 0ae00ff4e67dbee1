// SPDX-License-Identifier: Apache-2.0
#include "worker/lifeline.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>
#include <utility>

namespace kiln::worker {

Lifeline::Lifeline(int socket, pid_t host, std::filesystem::path scratch)
    : socket_(socket), scratch_(std::move(scratch)) {
    if (host > 0) {
        host_.reset(static_cast<int>(::syscall(SYS_pidfd_open, host, 0)));
        // It ended before it could be watched, and its number may be another's by now.
        if (::getppid() != host)
            end();
    }
    watcher_ = std::thread([this] { watch(); });
}

void Lifeline::watch() noexcept {
    for (;;) {
        std::array<pollfd, 2> events{{{socket_, POLLRDHUP, 0}, {host_.get(), POLLIN, 0}}};
        const int count = ::poll(events.data(), events.size(), -1);
        if (count > 0 || (count < 0 && errno != EINTR))
            end();
    }
}

void Lifeline::end() noexcept {
    ending_.lock(); // the second thread to come waits here for the end
    const bool leads_group = ::getpgrp() == ::getpid();
    if (leads_group) {
        // Children first, so that none writes into what is removed. NVRTC takes over SIGTERM while
        // it runs; only from here on is it not wanted.
        ::signal(SIGTERM, SIG_IGN);
        ::kill(0, SIGTERM);
        constexpr int patience = 20;
        for (int i = 0; i < patience && running_; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    std::error_code ignored;
    if (!scratch_.empty())
        std::filesystem::remove_all(scratch_, ignored);
    if (leads_group)
        ::kill(0, SIGKILL);
    ::_exit(0);
}

} // namespace kiln::worker
