// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void add_one(float* values, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        values[i] += 1.0f;
}
