// SPDX-License-Identifier: Apache-2.0
// Kernels that show how they were launched. For every target.

extern "C" __global__ void nothing() {}

extern "C" __global__ void count(unsigned long long* launches) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        atomicAdd(launches, 1ull);
    }
}

struct Point {
    double x;
    int tag;
};

// Parameters of many sizes and alignments. Launch: one thread.
extern "C" __global__ void mixed(signed char a, short b, int c, double d, Point p, bool e,
                                 double* out) {
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = p.x;
    out[5] = p.tag;
    out[6] = e ? 1.0 : 0.0;
}

extern "C" __global__ void __launch_bounds__(64) bounded(unsigned* threads) {
    if (threadIdx.x == 0) {
        *threads = blockDim.x;
    }
}

// Fills `words` words of dynamic shared memory and adds them up: sum of i for i < words.
// Launch: one block, at most 1024 threads; sum begins at 0.
extern "C" __global__ void fill_shared(unsigned words, unsigned long long* sum) {
    extern __shared__ unsigned shared[];
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x) {
        shared[i] = i;
    }
    __syncthreads();
    // Another thread's words than those that this one wrote.
    unsigned long long part = 0;
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x) {
        part += shared[words - 1 - i];
    }
    atomicAdd(sum, part);
}

extern "C" __global__ void fault(int* nowhere) {
    *nowhere = 1;
}
