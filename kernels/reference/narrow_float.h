// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

/// Floating-point formats narrower than float, on the host, without a CUDA header.
namespace kiln::reference {

/// A binary format with a sign bit, `exponent_bits` and `fraction_bits`, biased as IEEE 754 does.
/// Without infinity every code is a finite number, as in e2m1.
struct NarrowFormat {
    int exponent_bits;
    int fraction_bits;
    bool has_infinity;
};

inline constexpr NarrowFormat e2m1{2, 1, false};    ///< 0, 0.5, 1, 1.5, 2, 3, 4, 6
inline constexpr NarrowFormat half{5, 10, true};    ///< `__half`
inline constexpr NarrowFormat bfloat16{8, 7, true}; ///< `__nv_bfloat16`

/// The code of `value`, rounded to nearest even. Too large becomes infinity where the format has
/// one and its largest number otherwise (`.satfinite` of the PTX ISA). NaN becomes 0x7fff (`half`
/// and `bfloat16`) or the largest positive number (`e2m1`).
inline std::uint16_t encode(float value, NarrowFormat format) {
    const int fraction_bits = format.fraction_bits;
    const int width = format.exponent_bits + fraction_bits;
    const auto all_ones = static_cast<std::uint16_t>((1u << width) - 1);
    if (std::isnan(value)) {
        return all_ones;
    }
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 1u << width : 0u);
    const auto infinity =
        static_cast<std::uint16_t>(((1u << format.exponent_bits) - 1) << fraction_bits);
    const std::uint16_t beyond = format.has_infinity ? infinity : all_ones;
    if (std::isinf(value)) {
        return sign | beyond;
    }
    if (value == 0.0f) {
        return sign;
    }
    const double magnitude = std::fabs(static_cast<double>(value));
    const int least_exponent = 2 - (1 << (format.exponent_bits - 1));
    const int exponent = std::max(std::ilogb(magnitude), least_exponent);
    // Exact: a double holds any float over any power of two used here.
    const double units = std::nearbyint(std::ldexp(magnitude, fraction_bits - exponent));
    // A carry out of the fraction lands in the exponent, where it belongs.
    const double code = std::ldexp(exponent - least_exponent, fraction_bits) + units;
    return code < beyond ? sign | static_cast<std::uint16_t>(code) : sign | beyond;
}

/// The value of a code that `encode` returned. Exact: float holds every number of these formats.
inline float decode(std::uint16_t code, NarrowFormat format) {
    const int fraction_bits = format.fraction_bits;
    const int exponent_mask = (1 << format.exponent_bits) - 1;
    const int field = (code >> fraction_bits) & exponent_mask;
    const int fraction = code & ((1 << fraction_bits) - 1);
    const bool negative = (code >> (format.exponent_bits + fraction_bits)) != 0;
    float magnitude = 0.0f;
    if (format.has_infinity && field == exponent_mask) {
        magnitude = fraction == 0 ? std::numeric_limits<float>::infinity()
                                  : std::numeric_limits<float>::quiet_NaN();
    } else {
        const int least_exponent = 2 - (1 << (format.exponent_bits - 1));
        const int significand = field == 0 ? fraction : fraction + (1 << fraction_bits);
        const int exponent = least_exponent + std::max(field, 1) - 1;
        magnitude = static_cast<float>(std::ldexp(significand, exponent - fraction_bits));
    }
    return negative ? -magnitude : magnitude;
}

} // namespace kiln::reference
