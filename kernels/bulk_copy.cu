// SPDX-License-Identifier: Apache-2.0

// The asynchronous bulk copies and transaction barriers of the PTX ISA, from sm_90 on; ptxas
// refuses them for older targets. Addresses named shared_* are in the shared window.

__device__ inline void barrier_init(unsigned shared_barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :
                 : "r"(shared_barrier), "r"(arrivals)
                 : "memory");
}

__device__ inline void barrier_expect_bytes(unsigned shared_barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(shared_barrier), "r"(bytes)
                 : "memory");
}

// Returns when the barrier has left the phase of this parity.
__device__ inline void barrier_wait(unsigned shared_barrier, unsigned parity) {
    unsigned done = 0;
    while (done == 0) {
        asm volatile("{\n"
                     "    .reg .pred done;\n"
                     "    mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
                     "    selp.u32 %0, 1, 0, done;\n"
                     "}"
                     : "=r"(done)
                     : "r"(shared_barrier), "r"(parity)
                     : "memory");
    }
}

// Orders this thread's view of shared memory with that of the bulk copies.
__device__ inline void fence_async_proxy() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ inline void bulk_load(unsigned shared_to, const unsigned char* from, unsigned bytes,
                                 unsigned shared_barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];"
                 :
                 : "r"(shared_to), "l"(__cvta_generic_to_global(from)), "r"(bytes),
                   "r"(shared_barrier)
                 : "memory");
}

__device__ inline void bulk_store(unsigned char* to, unsigned shared_from, unsigned bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                 "cp.async.bulk.commit_group;"
                 :
                 : "l"(__cvta_generic_to_global(to)), "r"(shared_from), "r"(bytes)
                 : "memory");
}

// Copies `bytes` bytes through shared memory, in tiles of 16 KiB. in and out must not overlap.
// Launch: 1-D, any block size (32 is enough: one thread drives the copies), any grid; one block for
// each tile is the most that is useful. Static shared memory: 16 KiB and a barrier.
// Alignment: any; where in and out are not both aligned to 16 bytes, which bulk copies need, the
// threads copy byte by byte instead.
extern "C" __global__ void bulk_copy(const unsigned char* in, unsigned char* out,
                                     unsigned long long bytes) {
    constexpr unsigned tile_bytes = 16 * 1024;
    alignas(128) __shared__ unsigned char tile[tile_bytes];
    alignas(8) __shared__ unsigned long long barrier;

    const bool aligned = (reinterpret_cast<unsigned long long>(in) % 16 == 0) &&
                         (reinterpret_cast<unsigned long long>(out) % 16 == 0);
    const unsigned long long bulk_bytes = aligned ? bytes / 16 * 16 : 0;

    if (threadIdx.x == 0) {
        const unsigned shared_tile = static_cast<unsigned>(__cvta_generic_to_shared(tile));
        const unsigned shared_barrier = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
        const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * tile_bytes;
        unsigned parity = 0;

        barrier_init(shared_barrier, 1);
        fence_async_proxy();
        for (unsigned long long at = static_cast<unsigned long long>(blockIdx.x) * tile_bytes;
             at < bulk_bytes; at += stride) {
            const unsigned long long left = bulk_bytes - at;
            const unsigned size = left < tile_bytes ? static_cast<unsigned>(left) : tile_bytes;
            barrier_expect_bytes(shared_barrier, size);
            bulk_load(shared_tile, in + at, size, shared_barrier);
            barrier_wait(shared_barrier, parity);
            parity ^= 1;
            fence_async_proxy();
            bulk_store(out + at, shared_tile, size);
            // The next load writes where this store still reads.
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        }
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }

    const unsigned long long threads = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    for (unsigned long long i =
             bulk_bytes + static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
         i < bytes; i += threads) {
        out[i] = in[i];
    }
}
