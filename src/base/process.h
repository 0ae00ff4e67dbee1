// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::base {

/// How to start a program. No shell is involved; nothing is inherited but what is named here.
struct ProcessOptions {
    std::filesystem::path program;      ///< absolute path
    std::vector<std::string> arguments; ///< without argv[0]
    Environment environment;            ///< the whole of the child's environment
    std::filesystem::path directory;    ///< working directory; empty: the parent's
    /// A descriptor that becomes the child's fd 3 (the worker's socket); -1: none. All others are
    /// closed or close-on-exec.
    int channel = -1;
    /// The child leads a process group of its own. False: it stays in the caller's, whose end then
    /// is its end too, and killing reaches the child alone.
    bool own_group = true;
};

/// A child process, started with posix_spawn in a process group of its own unless the options say
/// otherwise, with no signal blocked or ignored. Killing goes to the group; what the group still
/// runs when the child has ended is killed too. The destructor kills and reaps what still runs.
/// ECHILD (a host that reaps everything) is tolerated: the status is then reported as unknown. In a
/// child forked from the host it is inert: it kills nothing and waits for nothing. Not thread-safe.
class Process {
  public:
    /// stdin is /dev/null; stdout and stderr go to the given descriptors, or /dev/null for -1.
    /// Throws Error(io) naming the program.
    static Process start(const ProcessOptions& options, int stdout_fd, int stderr_fd);
    Process(Process&& other) noexcept;
    Process& operator=(Process&& other) noexcept;
    ~Process();

    int pid() const noexcept { return pid_; }
    /// The exit, or nothing if it still runs after `timeout`.
    struct Exit {
        int code = 0;         ///< exit status, if it exited
        int signal = 0;       ///< the signal that ended it, or 0
        bool unknown = false; ///< somebody else reaped it
        bool ok() const noexcept { return !unknown && signal == 0 && code == 0; }
    };
    std::optional<Exit> wait(std::chrono::milliseconds timeout);
    /// SIGKILL to the group; nothing once the exit was seen.
    void kill() noexcept;
    /// Becomes readable when the child has ended; -1 where the kernel has no such descriptor.
    int exit_descriptor() const noexcept { return pidfd_; }

  private:
    Process(int pid, bool own_group) noexcept;
    int to_kill() const noexcept { return own_group_ ? -pid_ : pid_; }
    bool ours() const noexcept;
    void reap() noexcept;
    void finish() noexcept;

    int pid_ = -1;
    int pidfd_ = -1;
    int owner_ = -1; // the pid of the process that started it
    bool own_group_ = true;
    std::optional<Exit> exit_;
};

/// What a finished program left.
struct ProcessResult {
    Process::Exit exit;
    std::string output; ///< stdout
    std::string errors; ///< stderr
    bool timed_out = false;
    bool cancelled = false;
    double seconds = 0;
};

/// Runs to the end or to the limit, collecting both streams (each bounded to 64 MiB, the rest is
/// dropped). At the limit the whole group is killed. The end is the program's own: a grandchild
/// that keeps a stream open is not waited for. `cancelled` is asked several times a second; may be
/// empty. Throws Error(io) only when the program cannot be started.
ProcessResult run_process(const ProcessOptions& options, std::chrono::milliseconds limit,
                          const std::function<bool()>& cancelled = {});

} // namespace kiln::base
