// SPDX-License-Identifier: Apache-2.0
// All-reduce of eight ranks fused with RMS norm, and with conversion to FP4. The conversion needs a
// suffixed target from SM 10.0 on; before that its body is left out.
#include "flashinfer/comm/trtllm_allreduce_fusion.cuh"

namespace flashinfer::trtllm_allreduce_fusion {

template __global__ void
    allreduce_fusion_kernel_oneshot_lamport<AllReduceFusionPattern::kARResidualRMSNorm, half, 8,
                                            true>(AllReduceFusionParams<half>);

template __global__ void
    allreduce_fusion_kernel_twoshot_sync<AllReduceFusionPattern::kARResidualRMSNormFP4Quant,
                                         __nv_bfloat16, 8, true>(
        AllReduceFusionParams<__nv_bfloat16>, std::array<int, 8>, std::array<int, 8>);

} // namespace flashinfer::trtllm_allreduce_fusion
