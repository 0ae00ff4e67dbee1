// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "narrow_float.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

/// What the shipped kernels must compute, in plain C++. Each function has the name of its kernel,
/// writes to `out` (or `sums`), and throws std::invalid_argument where the sizes do not fit each
/// other. Nothing is allocated or kept; calls are independent of each other.
namespace kiln::reference {

/// Throws std::invalid_argument with `message` unless `fits`.
inline void require_size(bool fits, const char* message) {
    if (!fits) {
        throw std::invalid_argument(message);
    }
}

/// a[i] + b[i] in float: the device's result is equal to it bit by bit.
inline void vector_add(std::span<const float> a, std::span<const float> b, std::span<float> out) {
    require_size(a.size() == b.size() && a.size() == out.size(),
                 "vector_add: a, b and out differ in size");
    for (std::size_t i = 0; i < a.size(); ++i) {
        out[i] = a[i] + b[i];
    }
}

/// x / sqrt(mean(x^2) + epsilon) * weight for each row of weight.size() columns, in double.
/// For `half` and `bfloat16` give the inputs already rounded (`decode(encode(v, half), half)`).
/// The device agrees within 1e-5 (float) of the value, and for the narrow types within one more
/// rounding to the type, half a unit in the last place.
inline void rms_norm(std::span<const float> x, std::span<const float> weight, float epsilon,
                     std::span<double> out) {
    const std::size_t columns = weight.size();
    require_size(x.size() == out.size(), "rms_norm: x and out differ in size");
    require_size(columns == 0 ? x.empty() : x.size() % columns == 0,
                 "rms_norm: x is not a whole number of rows of weight's size");
    for (std::size_t row = 0; row < x.size(); row += columns) {
        double squares = 0.0;
        for (const float value : x.subspan(row, columns)) {
            squares += static_cast<double>(value) * value;
        }
        const double mean_square = squares / static_cast<double>(columns);
        const double scale = 1.0 / std::sqrt(mean_square + epsilon);
        for (std::size_t c = 0; c < columns; ++c) {
            out[row + c] = x[row + c] * scale * weight[c];
        }
    }
}

/// Elements that one block of `block_size` threads of the kernel block_sum adds up.
constexpr std::size_t block_sum_tile(std::size_t block_size) {
    return 4 * block_size;
}

/// One sum for each tile of `in`, the last one perhaps short. `Sum` is wider than the device's
/// type.
template <typename T, typename Sum>
void sum_tiles(std::span<const T> in, std::size_t block_size, std::span<Sum> sums) {
    const std::size_t tile = block_sum_tile(block_size);
    require_size(tile != 0 && sums.size() == (in.size() + tile - 1) / tile,
                 "block_sum: sums has not one element for each tile of in");
    for (std::size_t b = 0; b < sums.size(); ++b) {
        sums[b] = 0;
        for (const T value : in.subspan(b * tile, std::min(tile, in.size() - b * tile))) {
            sums[b] += value;
        }
    }
}

/// Sums of float in double. The device adds in float: it agrees within 1e-5 times the sum of the
/// magnitudes of the tile, not of the sum itself.
inline void block_sum(std::span<const float> in, std::size_t block_size, std::span<double> sums) {
    sum_tiles(in, block_size, sums);
}

/// Sums of int in 64 bits. The device is equal where the sum fits an int.
inline void block_sum(std::span<const int> in, std::size_t block_size,
                      std::span<std::int64_t> sums) {
    sum_tiles(in, block_size, sums);
}

/// Two e2m1 codes to a byte, the earlier element in the low bits, each of in[i] * scale in float.
/// The device's result is equal to it bit by bit.
inline void fp4_convert(std::span<const float> in, float scale, std::span<std::uint8_t> out) {
    require_size(out.size() == (in.size() + 1) / 2,
                 "fp4_convert: out has not one byte for each two elements of in");
    for (std::size_t byte = 0; byte < out.size(); ++byte) {
        const std::size_t i = 2 * byte;
        const unsigned low = encode(in[i] * scale, e2m1);
        const unsigned high = i + 1 < in.size() ? encode(in[i + 1] * scale, e2m1) : 0u;
        out[byte] = static_cast<std::uint8_t>(high << 4 | low);
    }
}

/// The bytes of `in`. The device's result is equal to it.
inline void bulk_copy(std::span<const std::uint8_t> in, std::span<std::uint8_t> out) {
    require_size(in.size() == out.size(), "bulk_copy: in and out differ in size");
    std::copy(in.begin(), in.end(), out.begin());
}

} // namespace kiln::reference
