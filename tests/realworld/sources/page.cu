// SPDX-License-Identifier: Apache-2.0
// Appending to the paged key-value cache.
#include "flashinfer/page.cuh"

namespace flashinfer {

template __global__ void AppendPagedKVCacheKernel<128, 8, half, int32_t>(
    paged_kv_t<half, int32_t>, half* __restrict__, half* __restrict__, int32_t* __restrict__,
    int32_t* __restrict__, uint32_t, size_t, size_t, size_t, size_t);

} // namespace flashinfer
