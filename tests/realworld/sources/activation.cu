// SPDX-License-Identifier: Apache-2.0
// The gated activation of an MLP block; the activation function is a template argument.
#include "flashinfer/activation.cuh"

namespace flashinfer::activation {

__device__ __forceinline__ float silu(const float& value) {
    return value / (1.0f + __expf(-value));
}

template __global__ void act_and_mul_kernel<half, silu>(half* __restrict__,
                                                        const half* __restrict__, const int);

} // namespace flashinfer::activation
