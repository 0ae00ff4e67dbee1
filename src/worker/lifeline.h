// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/descriptor.h"

#include <sys/types.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

namespace kiln::worker {

/// What a worker owes to its host: when the host is gone, so is everything the worker started. A
/// thread waits for the end of file on the socket and for the end of the host process (a child that
/// the host has forked may hold the other end of the socket open); never a parent-death signal,
/// which comes when the spawning *thread* ends. Compilers stay in the worker's process group, so
/// that one signal reaches them all.
class Lifeline {
  public:
    /// `host`: its pid, or 0. `scratch`: a directory to remove at the end, or empty.
    Lifeline(int socket, pid_t host, std::filesystem::path scratch);
    Lifeline(const Lifeline&) = delete;
    Lifeline& operator=(const Lifeline&) = delete;
    ~Lifeline() = delete; // it ends with the process

    /// Held by the serving thread around each job.
    class Job {
      public:
        explicit Job(Lifeline& lifeline) : lifeline_(lifeline) { lifeline_.running_ = true; }
        Job(const Job&) = delete;
        Job& operator=(const Job&) = delete;
        ~Job() { lifeline_.running_ = false; }

      private:
        Lifeline& lifeline_;
    };

    /// Ends the children, removes the scratch directory, ends this process. Any thread.
    [[noreturn]] void end() noexcept;

  private:
    void watch() noexcept;

    int socket_;
    base::Descriptor host_;
    std::filesystem::path scratch_;
    std::atomic<bool> running_ = false;
    std::mutex ending_;
    std::thread watcher_;
};

} // namespace kiln::worker
