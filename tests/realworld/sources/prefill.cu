// SPDX-License-Identifier: Apache-2.0
// Single-request prefill attention without Hopper's instructions, head size 128, causal.
#include "flashinfer/attention/default_prefill_params.cuh"
#include "flashinfer/attention/prefill.cuh"
#include "flashinfer/attention/variants.cuh"

namespace flashinfer {

using PrefillParams = SinglePrefillParams<half, half, half>;
using PlainAttention = DefaultAttention<false, false, false, false>;
using Traits =
    KernelTraits<MaskMode::kCausal, 128, 2, 4, 128 / 16, 128 / 16, 4, 1, PosEncodingMode::kNone,
                 half, half, half, float, int32_t, PlainAttention>;

template __global__ void
SinglePrefillWithKVCacheKernel<Traits, PrefillParams>(const __grid_constant__ PrefillParams);

} // namespace flashinfer
