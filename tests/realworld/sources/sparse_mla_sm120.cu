// SPDX-License-Identifier: Apache-2.0
// Sparse multi-head latent attention with block-scaled mma, which only SM 12.x has, under a suffix.
#include <cuda_runtime.h>
#include <flashinfer/attention/sparse_mla_sm120/decode_dsv3_2_kernel.cuh>
#include <flashinfer/attention/sparse_mla_sm120/model/kv_cache_traits.cuh>

namespace flashinfer::sparse_mla_sm120 {

template __global__ void sparse_mla_decode_dsv3_2_kernel<ModelType::DSV3_2, 64, 64>(
    const bf16* __restrict__, const uint8_t* __restrict__, const int32_t* __restrict__,
    bf16* __restrict__, float* __restrict__, const int* __restrict__, int, int, int, int, int,
    float, size_t, size_t, int);

} // namespace flashinfer::sparse_mla_sm120
