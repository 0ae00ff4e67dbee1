// SPDX-License-Identifier: Apache-2.0
// Prefill attention with wgmma and TMA. It compiles for other targets too, and traps there at run
// time: only sm_90a has the real body.
#include "flashinfer/attention/hopper/default_params.cuh"
#include "flashinfer/attention/hopper/prefill_sm90.cuh"
#include "flashinfer/attention/hopper/variants.cuh"

namespace flashinfer {

using Params = SinglePrefillParams<cutlass::half_t, cutlass::half_t, cutlass::half_t>;
using Traits = AttentionKernelTraits<true, 128, 128, 128, 128, 2, cutlass::half_t, cutlass::half_t,
                                     cutlass::half_t, int32_t, StandardAttention>;
using Mainloop = CollectiveMainloop<typename Params::AdditionalParams, Traits, true>;
using Epilogue = CollectiveEpilogue<Traits>;
using Scheduler = SingleTileScheduler;

template __global__ void
PrefillWithKVCacheKernel<Mainloop, Epilogue, Traits, false, true, Scheduler>(
    CUTE_GRID_CONSTANT typename Mainloop::Params const,
    CUTE_GRID_CONSTANT typename Epilogue::Params const,
    CUTE_GRID_CONSTANT typename Scheduler::Params const);

} // namespace flashinfer
