// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/descriptor.h"
#include "base/process.h"
#include "base/temporary_directory.h"
#include "compile/compiler.h"

#include <functional>
#include <optional>
#include <string>

namespace kiln::worker {

/// One `kiln-worker` child, seen from the host. Not thread-safe. The destructor kills it with all
/// that it has started, and removes its temporary directory. In a child forked from the host it is
/// inert.
class WorkerProcess {
  public:
    /// Starts the program and waits for its hello. Throws Error(io) where it cannot be started, and
    /// Error(configuration) where it is no worker, or one of another protocol.
    WorkerProcess(const std::filesystem::path& program, const base::Environment& environment);
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;
    ~WorkerProcess();

    int pid() const noexcept { return process_.pid(); }
    /// False once it has ended or failed a job: it is of no more use then.
    bool usable() noexcept;
    /// What the NVRTC in it was loaded for (see nvrtc_kind); empty until the first NVRTC job.
    const std::string& kind() const noexcept { return kind_; }

    /// Blocks until the result is there. Nothing: the worker ended before it had the job, which
    /// another may have then (an idle worker can be killed at any time). Throws only what
    /// `cancelled` throws; timed_out, cancelled and compiler_crashed leave the worker unusable.
    std::optional<compile::Result> run(const compile::Job& job,
                                       const std::function<bool()>& cancelled);

  private:
    std::optional<compile::Result> exchange(const compile::Job& job,
                                            const std::function<bool()>& cancelled);
    Error crash(const compile::Job& job);

    base::TemporaryDirectory scratch_; // goes last: nobody writes into it then
    base::Descriptor socket_;
    base::Process process_;
    int owner_;
    std::string kind_;
    bool failed_ = false;
};

/// Jobs with equal kinds may share the NVRTC of one process: same library, same environment (NVRTC
/// reads some variables once). Empty for NVCC, which every worker can run.
std::string nvrtc_kind(const compile::Job& job);

} // namespace kiln::worker
