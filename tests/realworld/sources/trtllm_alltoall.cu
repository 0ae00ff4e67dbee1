// SPDX-License-Identifier: Apache-2.0
// Counting for the all-to-all of a mixture of experts.
#include "flashinfer/comm/trtllm_alltoall.cuh"

namespace flashinfer::trtllm_alltoall {

template __global__ void computeSendRecvRankCountKernel<8>(MoeEpWorldInfo, MoeExpertParallelInfo,
                                                           int, int const*, int const*, int*, int*);

template __global__ void inplaceSendRecvRankCumSumKernel<1024>(MoeEpWorldInfo, int*, int*);

} // namespace flashinfer::trtllm_alltoall
