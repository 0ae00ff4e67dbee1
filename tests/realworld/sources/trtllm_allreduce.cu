// SPDX-License-Identifier: Apache-2.0
// All-reduce of eight ranks, in one and two steps, and one fused with RMS norm.
#include "flashinfer/comm/trtllm_allreduce.cuh"

namespace flashinfer::trtllm_allreduce {

template __global__ void oneShotAllReduceKernel<half, 8, true, false>(AllReduceParams<half>);

template __global__ void twoShotAllReduceKernel<__nv_bfloat16, 8, true, false, false, false>(
    AllReduceParams<__nv_bfloat16>);

namespace reduce_fusion {

template __global__ void
    lamport_style_one_shot_all_reduce_norm_kernel<1, half, 8, false, true, true>(
        AllReduceParams<half>);

} // namespace reduce_fusion

} // namespace flashinfer::trtllm_allreduce
