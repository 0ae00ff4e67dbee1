// SPDX-License-Identifier: Apache-2.0
#include "compile/macros.h"
#include "compile/nvrtc_compiler.h"

namespace kiln::compile {

std::vector<std::string> nvrtc_options(const Job& job, int version) {
    split_macros(job.options); // for its refusals: both backends take the same macros
    auto options = job.options;
    options.push_back("--gpu-architecture=" + job.target.str());
    // Without it NVRTC opens libcuda and looks into the driver's compute cache (since CUDA 12.9).
    constexpr int first_with_cache = 1209;
    if (version >= first_with_cache)
        options.emplace_back("--no-cache");
    // It would raise the stack limit of the whole process while it runs.
    options.emplace_back("-modify-stack-limit=false");
    for (const bool system : {false, true}) {
        for (const auto& root : job.roots) {
            if (root.system == system)
                options.push_back("-I" + root.path.string());
        }
    }
    return options;
}

} // namespace kiln::compile
