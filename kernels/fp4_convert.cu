// SPDX-License-Identifier: Apache-2.0

// Two floats to a byte of e2m1 (0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives): round to nearest
// even, beyond 6 saturates, NaN becomes +6. `cvt.*.e2m1x2` is in the PTX ISA of the accelerated and
// family targets only (sm_100a, sm_100f, sm_120a ...); ptxas refuses it for any other.
__device__ inline unsigned pack_e2m1x2(float low, float high) {
    unsigned packed;
    asm("{\n"
        "    .reg .b8 pair;\n"
        "    cvt.rn.satfinite.e2m1x2.f32 pair, %2, %1;\n"
        "    cvt.u32.u8 %0, pair;\n"
        "}"
        : "=r"(packed)
        : "f"(low), "f"(high));
    return packed;
}

// out byte i = e2m1(in[2i] * scale) in bits 0 to 3, e2m1(in[2i + 1] * scale) in bits 4 to 7. An odd
// n leaves 0 in the last high bits. n counts floats; out has (n + 1) / 2 bytes.
// Launch: 1-D, any block size, at least one thread for each byte of out. Alignment: that of float.
extern "C" __global__ void fp4_convert(const float* in, unsigned char* out, unsigned n,
                                       float scale) {
    const unsigned long long byte =
        static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const unsigned long long first = 2 * byte;
    if (first >= n) {
        return;
    }
    const float low = in[first] * scale;
    const float high = first + 1 < n ? in[first + 1] * scale : 0.0f;
    out[byte] = static_cast<unsigned char>(pack_e2m1x2(low, high));
}
