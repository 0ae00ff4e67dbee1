// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"

#include "base/descriptor.h"

#include <kiln/error.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <system_error>
#include <thread>

namespace kiln::base {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

[[noreturn]] void fail(const ProcessOptions& options, int number) {
    const std::error_code cause(number, std::generic_category());
    Error::Context context{{"program", options.program.string()}};
    std::string what = options.program.string();
    // The kernel's answer does not say which of the two it means.
    if (!options.directory.empty()) {
        what += " in " + options.directory.string();
        context.emplace_back("directory", options.directory.string());
    }
    throw Error(ErrorCode::io, "cannot start " + what + ": " + cause.message(), {},
                std::move(context));
}

/// Attributes and file actions of a spawn.
class SpawnPlan {
  public:
    SpawnPlan() {
        ::posix_spawnattr_init(&attributes_);
        ::posix_spawn_file_actions_init(&actions_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    ~SpawnPlan() {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
    }

    void reset_signals(bool own_group) {
        sigset_t none;
        sigset_t all;
        ::sigemptyset(&none);
        ::sigfillset(&all);
        ::sigdelset(&all, SIGKILL);
        ::sigdelset(&all, SIGSTOP);
        check(::posix_spawnattr_setsigmask(&attributes_, &none));
        check(::posix_spawnattr_setsigdefault(&attributes_, &all));
        check(::posix_spawnattr_setpgroup(&attributes_, 0));
        const int group = own_group ? POSIX_SPAWN_SETPGROUP : 0;
        check(::posix_spawnattr_setflags(
            &attributes_,
            static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group)));
    }
    /// `given` becomes the child's `number`; /dev/null for -1.
    void stream(int number, int given) {
        if (given < 0) {
            check(::posix_spawn_file_actions_addopen(&actions_, number, "/dev/null",
                                                     number == 0 ? O_RDONLY : O_WRONLY, 0));
            return;
        }
        // Out of the way of the child's own numbers, whichever the host has given away.
        constexpr int first_free = 10;
        Descriptor& copy = copies_.at(number);
        copy.reset(::fcntl(given, F_DUPFD_CLOEXEC, first_free));
        check(copy ? 0 : errno);
        check(::posix_spawn_file_actions_adddup2(&actions_, copy.get(), number));
    }
    void close_from(int number) {
        check(::posix_spawn_file_actions_addclosefrom_np(&actions_, number));
    }
    void directory(const std::filesystem::path& path) {
        check(::posix_spawn_file_actions_addchdir_np(&actions_, path.c_str()));
    }
    int failure() const noexcept { return failure_; }
    int spawn(pid_t& pid, const char* program, char** arguments, char** variables) {
        if (failure_ != 0)
            return failure_;
        return ::posix_spawn(&pid, program, &actions_, &attributes_, arguments, variables);
    }

  private:
    void check(int number) noexcept {
        if (failure_ == 0)
            failure_ = number;
    }

    posix_spawnattr_t attributes_{};
    posix_spawn_file_actions_t actions_{};
    std::array<Descriptor, 4> copies_;
    int failure_ = 0;
};

std::vector<char*> pointers(std::vector<std::string>& lines) {
    std::vector<char*> result;
    result.reserve(lines.size() + 1);
    for (auto& line : lines)
        result.push_back(line.data());
    result.push_back(nullptr);
    return result;
}

bool holds_nul(const std::vector<std::string>& lines) noexcept {
    return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
        return line.find('\0') != std::string::npos;
    });
}

// Rounded up, so that a wait of less than a millisecond does not spin.
int poll_timeout(Clock::duration left) noexcept {
    const auto count = std::chrono::ceil<milliseconds>(left).count();
    return static_cast<int>(std::clamp<milliseconds::rep>(count, 0, INT_MAX));
}

Clock::time_point deadline_after(milliseconds timeout) noexcept {
    const auto now = Clock::now();
    const auto most = std::chrono::duration_cast<milliseconds>(Clock::time_point::max() - now);
    return timeout >= most ? Clock::time_point::max() : now + timeout;
}

} // namespace

Process Process::start(const ProcessOptions& options, int stdout_fd, int stderr_fd) {
    std::vector<std::string> arguments{options.program.string()};
    arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
    std::vector<std::string> variables = options.environment.lines();
    if (holds_nul(arguments) || holds_nul(variables))
        fail(options, EINVAL);

    SpawnPlan plan;
    plan.reset_signals(options.own_group);
    plan.stream(0, -1);
    plan.stream(1, stdout_fd);
    plan.stream(2, stderr_fd);
    if (options.channel >= 0)
        plan.stream(3, options.channel);
    plan.close_from(options.channel >= 0 ? 4 : 3);
    if (!options.directory.empty())
        plan.directory(options.directory);

    pid_t pid = -1;
    const int failure = plan.spawn(pid, options.program.c_str(), pointers(arguments).data(),
                                   pointers(variables).data());
    if (failure != 0)
        fail(options, failure);
    return Process(pid, options.own_group);
}

Process::Process(int pid, bool own_group) noexcept
    : pid_(pid), pidfd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))), owner_(::getpid()),
      own_group_(own_group) {}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pidfd_(std::exchange(other.pidfd_, -1)),
      owner_(other.owner_), own_group_(other.own_group_),
      exit_(std::exchange(other.exit_, std::nullopt)) {}

Process& Process::operator=(Process&& other) noexcept {
    if (this != &other) {
        finish();
        pid_ = std::exchange(other.pid_, -1);
        pidfd_ = std::exchange(other.pidfd_, -1);
        owner_ = other.owner_;
        own_group_ = other.own_group_;
        exit_ = std::exchange(other.exit_, std::nullopt);
    }
    return *this;
}

Process::~Process() {
    finish();
}

bool Process::ours() const noexcept {
    return pid_ > 0 && owner_ == ::getpid();
}

void Process::finish() noexcept {
    if (ours() && !exit_) {
        kill();
        // A process that waits in the kernel for a dead disk does not die: leave it then.
        constexpr milliseconds patience{5000};
        wait(patience);
    }
    if (pidfd_ >= 0)
        ::close(std::exchange(pidfd_, -1));
    pid_ = -1;
}

// Sets exit_ if the child has ended. Until it is reaped its number, which is the group's, is not
// given to anybody else: the rest of the group is killed before.
void Process::reap() noexcept {
    siginfo_t info{};
    int result = 0;
    do {
        result = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    } while (result != 0 && errno == EINTR);
    if (result == 0 && info.si_pid == 0)
        return;
    int status = 0;
    pid_t reaped = -1;
    if (result == 0) {
        ::kill(to_kill(), SIGKILL);
        do {
            reaped = ::waitpid(pid_, &status, WNOHANG);
        } while (reaped < 0 && errno == EINTR);
    }
    Exit exit;
    if (reaped != pid_)
        exit.unknown = true;
    else if (WIFSIGNALED(status))
        exit.signal = WTERMSIG(status);
    else
        exit.code = WEXITSTATUS(status);
    exit_ = exit;
}

std::optional<Process::Exit> Process::wait(milliseconds timeout) {
    if (exit_)
        return exit_;
    if (!ours())
        return Exit{.unknown = true};
    const auto deadline = deadline_after(timeout);
    auto pause = milliseconds(1);
    for (;;) {
        reap();
        const auto now = Clock::now();
        if (exit_ || now >= deadline)
            return exit_;
        if (pidfd_ >= 0) {
            pollfd event{pidfd_, POLLIN, 0};
            ::poll(&event, 1, poll_timeout(deadline - now));
        } else {
            std::this_thread::sleep_for(std::min<Clock::duration>(pause, deadline - now));
            pause = std::min(2 * pause, milliseconds(20));
        }
    }
}

void Process::kill() noexcept {
    if (!ours() || exit_)
        return;
    // Not if somebody else has reaped it: the number may be another's by now.
    reap();
    if (!exit_)
        ::kill(to_kill(), SIGKILL);
}

} // namespace kiln::base
