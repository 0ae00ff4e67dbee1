// SPDX-License-Identifier: Apache-2.0
#include "base/descriptor.h"
#include "base/process.h"

#include <kiln/error.h>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <system_error>

namespace kiln::base {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// One stream of the child: what it says is kept up to a bound, and read beyond it so that the
/// child never blocks.
class Capture {
  public:
    explicit Capture(const std::filesystem::path& program) {
        std::array<int, 2> ends{};
        // Only the parent's end must not block.
        if (::pipe2(ends.data(), O_CLOEXEC) != 0 || ::fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) {
            const std::error_code cause(errno, std::generic_category());
            throw Error(ErrorCode::io, "cannot start " + program.string() + ": " + cause.message());
        }
        read_.reset(ends[0]);
        write_.reset(ends[1]);
    }

    int write_end() const noexcept { return write_.get(); }
    void close_write_end() noexcept { write_.reset(); }
    int read_end() const noexcept { return read_.get(); }
    std::string take() { return std::move(text_); }

    /// Reads what is there, at most `rounds` buffers. False when there is no more now or ever.
    bool drain(std::span<char> buffer, int rounds) {
        constexpr std::size_t bound = 64u << 20;
        for (int i = 0; i < rounds && read_;) {
            const ssize_t count = ::read(read_.get(), buffer.data(), buffer.size());
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0 && errno == EAGAIN)
                return false;
            if (count <= 0) {
                read_.reset();
                return false;
            }
            const auto room = bound - std::min(bound, text_.size());
            text_.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
            ++i;
        }
        return static_cast<bool>(read_);
    }

  private:
    Descriptor read_;
    Descriptor write_;
    std::string text_;
};

milliseconds until(Clock::time_point deadline) noexcept {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    return std::max(left, milliseconds::zero());
}

// Waits for output, the end of the child, or `timeout`.
void wait_for_event(const Process& process, const Capture& output, const Capture& errors,
                    milliseconds timeout) noexcept {
    std::array<pollfd, 3> events{{{output.read_end(), POLLIN, 0},
                                  {errors.read_end(), POLLIN, 0},
                                  {process.exit_descriptor(), POLLIN, 0}}};
    ::poll(events.data(), events.size(), static_cast<int>(timeout.count()));
}

} // namespace

ProcessResult run_process(const ProcessOptions& options, milliseconds limit,
                          const std::function<bool()>& cancelled) {
    constexpr milliseconds question_interval{50};
    constexpr milliseconds long_interval{3'600'000};
    constexpr milliseconds blind_interval{5};
    constexpr milliseconds death_patience{5000};
    constexpr int rounds = 16;

    const auto begin = Clock::now();
    const auto deadline =
        limit > std::chrono::hours(24 * 365) ? Clock::time_point::max() : begin + limit;
    ProcessResult result;
    Capture output(options.program);
    Capture errors(options.program);
    Process process = Process::start(options, output.write_end(), errors.write_end());
    output.close_write_end();
    errors.close_write_end();

    std::vector<char> buffer(64u << 10);
    std::optional<Process::Exit> exit;
    while (!exit) {
        output.drain(buffer, rounds);
        errors.drain(buffer, rounds);
        exit = process.wait(milliseconds::zero());
        if (exit)
            break;
        result.timed_out = Clock::now() >= deadline;
        result.cancelled = !result.timed_out && cancelled && cancelled();
        if (result.timed_out || result.cancelled) {
            process.kill();
            exit = process.wait(death_patience).value_or(Process::Exit{.unknown = true});
            break;
        }
        const auto pause = process.exit_descriptor() < 0 ? blind_interval
                           : cancelled                   ? question_interval
                                                         : long_interval;
        wait_for_event(process, output, errors, std::min(pause, until(deadline)));
    }
    // A pipe holds at most 1 MiB of what the child said before its end; whoever else may still
    // write is not waited for.
    output.drain(buffer, rounds + 1);
    errors.drain(buffer, rounds + 1);

    result.exit = *exit;
    result.output = output.take();
    result.errors = errors.take();
    result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return result;
}

} // namespace kiln::base
