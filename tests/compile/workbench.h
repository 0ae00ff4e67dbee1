// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/temporary_directory.h"
#include "compile/compiler.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::test {

/// The machine's toolkit with NVRTC (and NVCC with a host compiler, if asked for), or nothing after
/// a message that says why the test is skipped.
std::optional<toolkit::Toolkit> machine_toolkit(Backend backend);

/// A job for a source, with the toolkit's include directories as roots.
compile::Job make_job(const toolkit::Toolkit& toolkit, const std::filesystem::path& source,
                      std::string_view target, Backend backend = Backend::nvrtc);

/// A fresh directory with sources in it, and jobs for them.
class Workbench {
  public:
    explicit Workbench(toolkit::Toolkit toolkit);

    const std::filesystem::path& path() const noexcept { return directory_.path(); }
    /// Writes a file below the directory; parents are made.
    std::filesystem::path write(const std::string& name, std::string_view text) const;
    compile::Job job(const std::filesystem::path& source, std::string_view target,
                     Backend backend = Backend::nvrtc) const {
        return make_job(toolkit_, source, target, backend);
    }

  private:
    base::TemporaryDirectory directory_;
    toolkit::Toolkit toolkit_;
};

/// `extern "C" __global__ void k(float* p) { p[threadIdx.x] += 1.f; }`
inline constexpr std::string_view trivial_kernel =
    "extern \"C\" __global__ void k(float* p) { p[threadIdx.x] += 1.f; }\n";

/// A source that keeps either front end busy for minutes.
extern const std::string_view endless_kernel;

/// The error's code name, or "ok": reads well in a failed check.
std::string outcome(const compile::Result& result);

/// Whether there is such a process and it is no zombie.
bool process_runs(int pid);
/// The same, after a second at most: a kill takes a moment to arrive.
bool process_outlives_a_second(int pid);

} // namespace kiln::test
