// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"
#include "compile/compiler.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>

/// Compiles in child processes: NVRTC's front end holds one lock a process, and only the end of a
/// process cancels it.
namespace kiln::worker {

class WorkerProcess;

struct PoolOptions {
    std::filesystem::path program; ///< `kiln-worker`; empty: compile in this process
    unsigned jobs = 1;             ///< at most so many at once
    /// For the worker itself. TMPDIR: where its temporary directory is made. Compilers see
    /// Job::environment alone.
    base::Environment environment;
};

/// Up to `jobs` workers, started when needed and kept. Thread-safe: `run` blocks its caller while a
/// worker compiles, or until one is free. After fork the child's pool starts workers of its own.
/// A worker that crashes or runs past the job's limit is killed with its children, costs that job
/// alone, and its temporary files are removed. Workers end when this process does, however it ends
/// (see Lifeline). The destructor must not run beside `run`.
class Pool {
  public:
    explicit Pool(PoolOptions options);
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool();

    /// Never throws; codes: those of the compiler, compiler_crashed, timed_out, cancelled.
    /// `cancelled` is asked about every 20 ms. Where no worker can be used (none there, not to be
    /// started, of another protocol) the job runs in this process, where NVRTC knows no limit and
    /// cannot be cancelled, and the log says so once.
    compile::Result run(const compile::Job& job, const std::function<bool()>& cancelled = {});

    unsigned jobs() const noexcept;

  private:
    struct State;
    struct Place;
    State& state();
    std::unique_ptr<WorkerProcess> start() const;

    PoolOptions options_;
    std::atomic<State*> state_;
};

} // namespace kiln::worker
