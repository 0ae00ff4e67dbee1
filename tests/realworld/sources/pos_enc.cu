// SPDX-License-Identifier: Apache-2.0
// Rotary position encoding from a cosine and sine cache.
#include "flashinfer/pos_enc.cuh"

namespace flashinfer {

template __global__ void
BatchQKApplyRotaryPosIdsCosSinCacheKernel<false, 128, 8, 16, half, int32_t>(
    half*, half*, half*, half*, float* __restrict__, int32_t* __restrict__, uint32_t, uint32_t,
    uint32_t, uint32_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t);

} // namespace flashinfer
