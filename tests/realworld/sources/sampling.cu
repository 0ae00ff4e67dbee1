// SPDX-License-Identifier: Apache-2.0
// Top-p sampling; uses CUB's block scan and reduction.
#include "flashinfer/sampling.cuh"

namespace flashinfer::sampling {

template __global__ void
TopPSamplingFromProbKernel<1024, BLOCK_SCAN_WARP_SCANS, BLOCK_REDUCE_WARP_REDUCTIONS, 4, true,
                           float, int>(float*, int*, bool*, int*, float*, float, uint32_t,
                                       uint64_t*, uint64_t, uint64_t*, uint64_t);

} // namespace flashinfer::sampling
