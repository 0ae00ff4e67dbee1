// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ inline float widen(float value) {
    return value;
}
__device__ inline float widen(__half value) {
    return __half2float(value);
}
__device__ inline float widen(__nv_bfloat16 value) {
    return __bfloat162float(value);
}

__device__ inline void narrow(float value, float& out) {
    out = value;
}
__device__ inline void narrow(float value, __half& out) {
    out = __float2half_rn(value);
}
__device__ inline void narrow(float value, __nv_bfloat16& out) {
    out = __float2bfloat16_rn(value);
}

// Vec neighbouring elements, aligned so that they move in accesses of at most 16 bytes each.
template <typename T, int Vec>
struct alignas(sizeof(T) * Vec < 16 ? sizeof(T) * Vec : 16) Pack {
    T element[Vec];
};

// The sum over the block of every thread's value, known to all threads. Whole warps only, and one
// call a kernel: nothing protects warp_sums from a second.
__device__ inline float sum_over_block(float value) {
    __shared__ float warp_sums[32];
    const unsigned lane = threadIdx.x % 32;
    const unsigned warps = blockDim.x / 32;
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    }
    if (lane == 0) {
        warp_sums[threadIdx.x / 32] = value;
    }
    __syncthreads();
    value = lane < warps ? warp_sums[lane] : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    }
    return value;
}

// Row by row: out = x / sqrt(mean(x^2) + epsilon) * weight, computed in float, rounded once to T.
// x and out are rows of `columns` elements without gaps, weight is one row. out may be x.
// Launch: one block a row (grid = rows), block a multiple of 32, at most 1024.
// Alignment: x, weight and out to min(16, sizeof(T) * Vec) bytes. Any number of columns is right;
// only where it is a multiple of Vec are accesses Vec elements wide.
template <typename T, int Vec>
__global__ void rms_norm(const T* x, const T* weight, T* out, unsigned columns, float epsilon) {
    static_assert(Vec == 1 || Vec == 2 || Vec == 4 || Vec == 8, "Vec is 1, 2, 4 or 8 elements");
    using Packed = Pack<T, Vec>;

    x += static_cast<unsigned long long>(blockIdx.x) * columns;
    out += static_cast<unsigned long long>(blockIdx.x) * columns;
    // Otherwise only the first row would be aligned.
    const unsigned packs = columns % Vec == 0 ? columns / Vec : 0;

    float squares = 0.0f;
    for (unsigned p = threadIdx.x; p < packs; p += blockDim.x) {
        const Packed in = reinterpret_cast<const Packed*>(x)[p];
        for (int e = 0; e < Vec; ++e) {
            const float value = widen(in.element[e]);
            squares += value * value;
        }
    }
    for (unsigned c = packs * Vec + threadIdx.x; c < columns; c += blockDim.x) {
        const float value = widen(x[c]);
        squares += value * value;
    }

    const float mean_square = sum_over_block(squares) / static_cast<float>(columns);
    const float scale = rsqrtf(mean_square + epsilon);

    for (unsigned p = threadIdx.x; p < packs; p += blockDim.x) {
        const Packed in = reinterpret_cast<const Packed*>(x)[p];
        const Packed gain = reinterpret_cast<const Packed*>(weight)[p];
        Packed result;
        for (int e = 0; e < Vec; ++e) {
            narrow(widen(in.element[e]) * scale * widen(gain.element[e]), result.element[e]);
        }
        reinterpret_cast<Packed*>(out)[p] = result;
    }
    for (unsigned c = packs * Vec + threadIdx.x; c < columns; c += blockDim.x) {
        narrow(widen(x[c]) * scale * widen(weight[c]), out[c]);
    }
}
