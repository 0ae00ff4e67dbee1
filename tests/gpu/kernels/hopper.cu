// SPDX-License-Identifier: Apache-2.0
// Clusters and programmatic dependent launch: from sm_90 on.

// ranks[b] = the block's rank in its cluster, sizes[b] = the blocks of its cluster.
extern "C" __global__ void cluster_ranks(unsigned* ranks, unsigned* sizes) {
    unsigned rank;
    unsigned size;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    if (threadIdx.x == 0) {
        ranks[blockIdx.x] = rank;
        sizes[blockIdx.x] = size;
    }
}

__device__ inline unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

// The first of a pair. Lets the second begin, then waits, at most `limit` nanoseconds, until it has
// said so in `begun`; writes whether it did, and last `value`. Launch: one thread.
extern "C" __global__ void first(volatile unsigned* begun, unsigned* saw_second,
                                 unsigned long long limit, unsigned value, unsigned* out) {
    asm volatile("griddepcontrol.launch_dependents;");
    const unsigned long long end = nanoseconds() + limit;
    while (*begun == 0 && nanoseconds() < end) {
    }
    *saw_second = *begun;
    *out = value;
}

// The second: says that it has begun, waits for the first to end, then reads what that wrote last.
extern "C" __global__ void second(volatile unsigned* begun, const volatile unsigned* in,
                                  unsigned* out) {
    *begun = 1;
    asm volatile("griddepcontrol.wait;" ::: "memory");
    *out = *in + 1;
}
