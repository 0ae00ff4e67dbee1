// SPDX-License-Identifier: Apache-2.0
// One kernel for each thing that a cubin says of its kernels.
extern "C" __device__ int printf(const char*, ...);

template <class T, int N>
__global__ void __launch_bounds__(256) scale(T* values, T factor) {
    for (int i = 0; i < N; ++i)
        values[threadIdx.x * N + i] *= factor;
}
template __global__ void scale<float, 4>(float*, float);

struct Mixed {
    double number;
    char bytes[5];
};
struct Wide {
    char bytes[20000];
};

extern "C" __global__ void parameters(float* out, char c, short s, Mixed mixed) {
    *out = static_cast<float>(mixed.number) + mixed.bytes[3] + c + s;
}

#if __CUDA_ARCH__ == 900
extern "C" __global__ void wide(Wide wide, float* out) { *out = wide.bytes[threadIdx.x]; }
#endif

extern "C" __global__ void shared(float* values) {
    __shared__ float tile[300];
    tile[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = tile[threadIdx.x ^ 1];
}

extern "C" __global__ void frame(float* values, int step) {
    float kept[64];
#pragma unroll 1
    for (int i = 0; i < 64; ++i)
        kept[i] = values[i];
#pragma unroll 1
    for (int i = 0; i < 64; ++i)
        values[i] = kept[(i * step) & 63];
}

extern "C" __global__ void prints(int value) { printf("%d\n", value); }

extern "C" __global__ void nothing() {}

// Not external: a kernel all the same.
static __global__ void hidden(int* value) { *value = 1; }
void (*keep_hidden)(int*) = hidden;
