// SPDX-License-Identifier: Apache-2.0
#include "compile/accept.h"

#include "cubin/inspect.h"

#include <fmt/format.h>

namespace kiln::compile {

namespace {

void accept_ptx(const Job& job, const LoweredNames& lowered, Result& result) {
    const auto summary = cubin::inspect_ptx(result.ptx);
    Target real = job.target;
    real.kind = TargetKind::real;
    if (summary.target != real.str())
        throw Error(ErrorCode::cubin_invalid,
                    fmt::format("the compiler was asked for {} and wrote PTX for {}",
                                job.target.str(), summary.target));
    for (const auto& entry : summary.entries) {
        KernelInfo kernel;
        kernel.symbol = entry;
        result.kernels.push_back(std::move(kernel));
    }
    match_kernels(job.kernels, lowered, result.kernels);
}

} // namespace

void accept(const Job& job, const LoweredNames& lowered, Result& result) {
    if (job.target.kind == TargetKind::virtual_) {
        accept_ptx(job, lowered, result);
        return;
    }
    // NVRTC reports success with an empty image where it was asked for PTX in disguise.
    if (result.cubin.empty())
        throw Error(ErrorCode::cubin_invalid,
                    fmt::format("the compiler reported success and left no cubin for {}",
                                job.target.str()));
    auto image = cubin::inspect(result.cubin);
    cubin::verify(image, job.target, {});
    match_kernels(job.kernels, lowered, image.kernels);
    result.kernels = std::move(image.kernels);
}

} // namespace kiln::compile
