// SPDX-License-Identifier: Apache-2.0

// out[i] = a[i] + b[i] for n elements of float.
// Launch: 1-D, any block size, at least n threads in all. Alignment: that of float. out may be a or
// b.
extern "C" __global__ void vector_add(const float* a, const float* b, float* out, unsigned n) {
    // 64 bits: the last block of a grid for n near 2^32 may begin past the end of 32.
    const unsigned long long i =
        static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = a[i] + b[i];
    }
}
