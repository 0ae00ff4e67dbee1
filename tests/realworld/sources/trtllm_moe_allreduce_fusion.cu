// SPDX-License-Identifier: Apache-2.0
// All-reduce fused with the reduction and the finalisation of a mixture of experts; includes the
// conversion to FP4, which needs a suffixed target from SM 10.0 on.
#include "flashinfer/comm/trtllm_moe_allreduce_fusion.cuh"

namespace flashinfer::trtllm_moe_allreduce_fusion {

template __global__ void
    moereduce_allreduce_fusion_kernel_oneshot_lamport<half, 8, true, true, true, false>(
        MoeReductionAllReduceFusionParams<half>);

template __global__ void
    moefinalize_allreduce_fusion_kernel_oneshot_lamport<__nv_bfloat16, 8, true, true, true>(
        MoeFinalizeAllReduceFusionParams<__nv_bfloat16>);

} // namespace flashinfer::trtllm_moe_allreduce_fusion
