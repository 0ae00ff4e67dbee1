// SPDX-License-Identifier: Apache-2.0
// vLLM's custom all-reduce of eight ranks, as FlashInfer carries it.
#include "flashinfer/comm/vllm_custom_all_reduce.cuh"

namespace vllm {

template __global__ void cross_device_reduce_1stage<half, 8>(RankData*, RankSignals, Signal*,
                                                             half* __restrict__, int, int);

template __global__ void cross_device_reduce_2stage<nv_bfloat16, 8>(RankData*, RankSignals, Signal*,
                                                                    nv_bfloat16* __restrict__, int,
                                                                    int);

} // namespace vllm
