// SPDX-License-Identifier: Apache-2.0
// RMS norm, alone and with the residual added.
#include "flashinfer/norm.cuh"

namespace flashinfer::norm {

template __global__ void RMSNormKernel<8, half>(half* __restrict__, half* __restrict__,
                                                half* __restrict__, const uint32_t, const uint32_t,
                                                const uint32_t, float, float);

template __global__ void FusedAddRMSNormKernel<8, nv_bfloat16>(nv_bfloat16* __restrict__,
                                                               nv_bfloat16* __restrict__,
                                                               nv_bfloat16* __restrict__,
                                                               const uint32_t, const uint32_t,
                                                               const uint32_t, float, float);

} // namespace flashinfer::norm
