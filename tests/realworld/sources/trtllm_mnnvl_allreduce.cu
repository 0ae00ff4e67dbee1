// SPDX-License-Identifier: Apache-2.0
// All-reduce across nodes over NVLink; uses clusters, so SM 9.0 and newer.
#include "flashinfer/comm/trtllm_mnnvl_allreduce.cuh"

namespace flashinfer::trtllm_mnnvl_allreduce {

template __global__ void
    oneshotAllreduceFusionKernel<8, __nv_bfloat16, true>(AllReduceKernelParams<__nv_bfloat16>);

template __global__ void
    twoshotAllreduceKernel<8, __nv_bfloat16>(AllReduceKernelParams<__nv_bfloat16>);

} // namespace flashinfer::trtllm_mnnvl_allreduce
