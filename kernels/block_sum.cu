// SPDX-License-Identifier: Apache-2.0
#include <cub/block/block_reduce.cuh>

// sums[b] = the sum of tile b of `in`: elements [b * tile, (b + 1) * tile) that are below n, where
// tile = 4 * BlockSize. Float: the order of additions is fixed, so the result is reproducible.
// Int: a tile's sum must fit an int.
// Launch: exactly BlockSize threads a block, at most 1024; grid = ceil(n / tile); a block beyond
// that writes 0. Alignment: that of T.
template <typename T, int BlockSize>
__global__ void __launch_bounds__(BlockSize) block_sum(const T* in, T* sums, unsigned n) {
    static_assert(BlockSize >= 32 && BlockSize <= 1024 && BlockSize % 32 == 0,
                  "BlockSize is a multiple of 32 from 32 to 1024 threads");
    constexpr int elements_per_thread = 4;
    using Reduce = cub::BlockReduce<T, BlockSize>;
    __shared__ typename Reduce::TempStorage storage;

    const unsigned long long tile =
        static_cast<unsigned long long>(blockIdx.x) * BlockSize * elements_per_thread;
    T sum = 0;
    for (int e = 0; e < elements_per_thread; ++e) {
        const unsigned long long i = tile + e * BlockSize + threadIdx.x;
        if (i < n) {
            sum += in[i];
        }
    }
    const T total = Reduce(storage).Sum(sum);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = total;
    }
}
