// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"
#include "source/search_path.h"
#include "toolkit/toolkit.h"

#include <kiln/arch.h>
#include <kiln/cubin.h>
#include <kiln/error.h>
#include <kiln/plan.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// One interface over NVRTC and NVCC.
namespace kiln::compile {

/// Everything a compiler is given. A plain value: it travels to the worker process.
struct Job {
    std::string label; ///< `rms_norm{dtype=float}` for messages
    Backend backend = Backend::nvrtc;
    toolkit::Toolkit toolkit;
    std::filesystem::path source;     ///< absolute; the program name of NVRTC
    Target target;                    ///< real for a cubin; virtual: PTX only
    std::vector<std::string> options; ///< in the backend's spelling and order; no -I, no -arch
    std::vector<source::Root> roots;  ///< include directories in order, the toolkit's last
    /// Expected kernels: expressions with `<` or `::`, symbols, or `prefix*`.
    std::vector<std::string> kernels;
    std::filesystem::path host_compiler; ///< NVCC only
    base::Environment environment;       ///< the whole of what the compiler sees
    bool want_ptx = false;
    std::chrono::milliseconds time_limit{600'000};
    /// Bytes of private memory that the compiler may use (RLIMIT_DATA), counted from what its
    /// process has when it begins; 0: as much as there is. Kept by workers alone.
    std::uint64_t memory_limit = 0;
};

/// What a compile gave. `error` set: it failed, and `log` says the rest.
struct Result {
    std::vector<std::byte> cubin;    ///< empty for a virtual target
    std::string ptx;                 ///< if wanted, or the target is virtual
    std::vector<KernelInfo> kernels; ///< of the cubin, with the expressions that name them
    std::string log;                 ///< the compiler's own text, warnings included
    std::vector<std::filesystem::path>
        opened;                ///< every file it read, absolute, the source included
    bool opened_exact = false; ///< the list comes from the compiler itself
    double seconds = 0;        ///< wall time of the compile alone
    std::optional<Error> error;
};

/// A compiler in this process. `run` never throws: trouble is in Result::error. One at a time per
/// object. Success means the cubin was inspected: ELF whole, target in its note, kernels present.
class Compiler {
  public:
    virtual ~Compiler() = default;
    /// `cancelled` is asked while NVCC runs; NVRTC cannot be interrupted (only its process can).
    virtual Result run(const Job& job, const std::function<bool()>& cancelled) = 0;
};

struct CompilerOptions {
    /// nvcc leads a process group, which is killed at the limit or on cancelling. False in a
    /// worker: nvcc stays in the worker's group, which its host kills as a whole.
    bool own_group = true;
};

/// Loads NVRTC on the first run. Compiles on a thread of its own with a 64 MiB stack. Does not know
/// Job::time_limit: only a worker can be ended.
std::unique_ptr<Compiler> make_nvrtc_compiler();
/// Runs nvcc as a child process, in a temporary directory of its own (in the job's TMPDIR), with an
/// options file.
std::unique_ptr<Compiler> make_nvcc_compiler(CompilerOptions options = {});

/// Picks by Job::backend; keeps both compilers.
std::unique_ptr<Compiler> make_compiler(CompilerOptions options = {});

} // namespace kiln::compile
