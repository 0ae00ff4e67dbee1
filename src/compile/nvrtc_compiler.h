// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/compiler.h"
#include "toolkit/nvrtc_library.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kiln::compile {

/// How NVRTC is made to tell what it opens, best first.
enum class Listing {
    include_trace, ///< `-Xcudafe -H` to a memfd: exact, costs nothing, undocumented
    time_trace,    ///< `--fdevice-time-trace`: exact, documented, 7 to 50 % slower
    none
};

/// The options of one compile, in this order: the job's, the target, what Kiln always adds, the
/// include directories, system ones last (NVRTC knows no other kind). `version`: major * 100 +
/// minor of the library, since older ones lack some options.
std::vector<std::string> nvrtc_options(const Job& job, int version);

/// Opens NVRTC for a toolkit; throws Error(toolkit_unfit).
using NvrtcLoader =
    std::function<std::shared_ptr<const toolkit::NvrtcLibrary>(const toolkit::Toolkit&)>;

class NvrtcCompiler final : public Compiler {
  public:
    explicit NvrtcCompiler(NvrtcLoader loader);
    Result run(const Job& job, const std::function<bool()>& cancelled) override;

  private:
    struct Attempt;
    void compile(const Job& job, Result& result);
    bool attempt(const Job& job, const Attempt& attempt, Result& result);

    NvrtcLoader loader_;
    /// What has proved to work, by library; only ever goes down.
    std::map<std::filesystem::path, Listing> listings_;
};

} // namespace kiln::compile
