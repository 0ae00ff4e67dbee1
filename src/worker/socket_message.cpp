// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdint>

namespace kiln::worker {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t longest = 1u << 30;

class Deadline {
  public:
    explicit Deadline(int timeout_ms)
        : end_(timeout_ms < 0 ? Clock::time_point::max()
                              : Clock::now() + std::chrono::milliseconds(timeout_ms)) {}
    /// For poll: -1 without a limit.
    int left() const noexcept {
        if (end_ == Clock::time_point::max())
            return -1;
        const auto count =
            std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now()).count();
        return static_cast<int>(std::clamp<std::int64_t>(count, 0, INT_MAX));
    }

  private:
    Clock::time_point end_;
};

// Whether `socket` is ready for `events`; false at the deadline.
bool wait_for(int socket, short events, const Deadline& deadline) noexcept {
    for (;;) {
        pollfd entry{socket, events, 0};
        const int left = deadline.left();
        const int count = ::poll(&entry, 1, left);
        if (count > 0)
            return true;
        if (count == 0 && left >= 0)
            return false;
        if (count < 0 && errno != EINTR)
            return true; // the call that follows says what is wrong
    }
}

bool send_all(int socket, std::span<const std::byte> bytes, const Deadline& deadline) noexcept {
    while (!bytes.empty()) {
        const auto count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN) {
            if (!wait_for(socket, POLLOUT, deadline))
                return false;
            continue;
        }
        if (count <= 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

bool receive_all(int socket, std::span<std::byte> bytes, const Deadline& deadline,
                 bool& timed_out) noexcept {
    while (!bytes.empty()) {
        const auto count = ::recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN) {
            if (!wait_for(socket, POLLIN, deadline)) {
                timed_out = true;
                return false;
            }
            continue;
        }
        if (count <= 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

} // namespace

bool send_message(int socket, std::span<const std::byte> payload, int timeout_ms) {
    if (payload.size() > longest)
        return false;
    const Deadline deadline(timeout_ms);
    const auto length = static_cast<std::uint32_t>(payload.size());
    const std::array<std::byte, 4> prefix{
        static_cast<std::byte>(length), static_cast<std::byte>(length >> 8),
        static_cast<std::byte>(length >> 16), static_cast<std::byte>(length >> 24)};
    return send_all(socket, prefix, deadline) && send_all(socket, payload, deadline);
}

std::optional<std::vector<std::byte>> receive_message(int socket, int timeout_ms, bool& timed_out) {
    timed_out = false;
    const Deadline deadline(timeout_ms);
    std::array<std::byte, 4> prefix{};
    if (!receive_all(socket, prefix, deadline, timed_out))
        return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 0; i < prefix.size(); ++i)
        length |= std::to_integer<std::size_t>(prefix[i]) << (8 * i);
    if (length > longest)
        return std::nullopt;
    // In steps: a length that no message follows must not cost its memory.
    constexpr std::size_t step = 4u << 20;
    std::vector<std::byte> payload;
    while (payload.size() < length) {
        const auto have = payload.size();
        payload.resize(std::min(length, have + step));
        if (!receive_all(socket, std::span(payload).subspan(have), deadline, timed_out))
            return std::nullopt;
    }
    return payload;
}

} // namespace kiln::worker
