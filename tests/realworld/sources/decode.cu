// SPDX-License-Identifier: Apache-2.0
// Single-request decode attention, head size 128.
#include "flashinfer/attention/decode.cuh"
#include "flashinfer/attention/default_decode_params.cuh"
#include "flashinfer/attention/variants.cuh"

namespace flashinfer {

using DecodeParams = SingleDecodeParams<half, half, half>;
using PlainAttention = DefaultAttention<false, false, false, false>;

template __global__ void
SingleDecodeWithKVCacheKernel<PosEncodingMode::kNone, 2, 4, 8, 16, 4, 2, PlainAttention,
                              DecodeParams>(const __grid_constant__ DecodeParams);

} // namespace flashinfer
