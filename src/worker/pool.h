// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"
#include "compile/compiler.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

/// Compiles in child processes: NVRTC's front end holds one lock a process, and only the end of a
/// process cancels it.
namespace kiln::worker {

struct PoolOptions {
    std::filesystem::path program; ///< `kiln-worker`; empty: compile in this process
    unsigned jobs = 1;             ///< at most so many at once
    base::Environment environment; ///< for the worker itself (PATH, TMPDIR, ...)
};

/// Up to `jobs` workers, started when needed and kept. Thread-safe: `run` blocks its caller while a
/// worker compiles, or until one is free. After fork the child's pool starts workers of its own.
/// A worker that crashes or runs past the job's limit is killed with its children, costs that job
/// alone, and its temporary files are removed. Workers end when this process does, however it ends
/// (end of file on their socket).
class Pool {
  public:
    explicit Pool(PoolOptions options);
    ~Pool();

    /// Never throws; codes: those of the compiler, compiler_crashed, timed_out, cancelled. Where no
    /// worker can be started the job runs in this process, and the log says so once.
    compile::Result run(const compile::Job& job, const std::function<bool()>& cancelled = {});

    unsigned jobs() const noexcept;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace kiln::worker
