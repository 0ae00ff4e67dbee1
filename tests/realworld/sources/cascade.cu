// SPDX-License-Identifier: Apache-2.0
// Merging of partial attention states.
#include "flashinfer/attention/cascade.cuh"

namespace flashinfer {

template __global__ void MergeStatesKernel<8, half, half>(half* __restrict__, float* __restrict__,
                                                          half* __restrict__, float* __restrict__,
                                                          uint32_t, uint32_t, uint32_t);

template __global__ void
PersistentVariableLengthMergeStatesKernel<8, 16, 8, 4, half, half, int32_t>(
    half* __restrict__, float* __restrict__, int32_t*, half* __restrict__, float* __restrict__,
    uint32_t, uint32_t* __restrict__, uint32_t);

} // namespace flashinfer
