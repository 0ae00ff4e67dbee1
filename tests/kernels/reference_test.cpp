// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/reference.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace reference = kiln::reference;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

std::uint16_t e2m1_of(float value) {
    return reference::encode(value, reference::e2m1);
}

} // namespace

TEST_CASE("vector_add adds element by element") {
    const std::vector<float> a{1.0f, -2.5f, 0.0f};
    const std::vector<float> b{0.5f, 2.5f, -3.0f};
    std::vector<float> out(3);
    reference::vector_add(a, b, out);
    CHECK(out == std::vector<float>{1.5f, 0.0f, -3.0f});
}

TEST_CASE("rms_norm divides each row by its own root mean square") {
    // Mean squares: (9 + 16 + 0 + 0) / 4 = 6.25, root 2.5; and 4, root 2.
    const std::vector<float> x{3.0f, 4.0f, 0.0f, 0.0f, 2.0f, -2.0f, 2.0f, -2.0f};
    const std::vector<float> weight{1.0f, 2.0f, 3.0f, 0.5f};
    std::vector<double> out(8);
    reference::rms_norm(x, weight, 0.0f, out);
    const std::array<double, 8> expected{1.2, 3.2, 0.0, 0.0, 1.0, -2.0, 3.0, -0.5};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(i);
        CHECK(out[i] == doctest::Approx(expected[i]).epsilon(1e-12));
    }
}

TEST_CASE("rms_norm adds epsilon under the root, so a row of zeros stays zero") {
    const std::vector<float> weight{1.0f, 1.0f};
    std::vector<double> out(2);
    // Mean square 5, with epsilon 4 it is 9, root 3.
    reference::rms_norm(std::vector<float>{1.0f, 3.0f}, weight, 4.0f, out);
    CHECK(out[0] == doctest::Approx(1.0 / 3.0).epsilon(1e-12));
    CHECK(out[1] == doctest::Approx(1.0).epsilon(1e-12));
    reference::rms_norm(std::vector<float>{0.0f, 0.0f}, weight, 1e-6f, out);
    CHECK(out == std::vector<double>{0.0, 0.0});
}

TEST_CASE("block_sum sums tiles of four elements a thread, the last one short") {
    CHECK(reference::block_sum_tile(256) == 1024);
    std::vector<float> in(300, 0.5f);
    in[128] = 8.0f;
    std::vector<double> sums(3);
    reference::block_sum(in, 32, sums);
    CHECK(sums == std::vector<double>{64.0, 71.5, 22.0});
}

TEST_CASE("block_sum of int is exact beyond the range of int") {
    const std::vector<int> in(4, std::numeric_limits<int>::max());
    std::vector<std::int64_t> sums(1);
    reference::block_sum(in, 32, sums);
    CHECK(sums[0] == 4 * std::int64_t{2147483647});
}

TEST_CASE("e2m1 has these sixteen values") {
    const std::array<float, 8> values{0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};
    for (std::uint16_t code = 0; code < 8; ++code) {
        CAPTURE(code);
        CHECK(reference::decode(code, reference::e2m1) == values[code]);
        CHECK(reference::decode(code | 8, reference::e2m1) == -values[code]);
        CHECK(e2m1_of(values[code]) == code);
        CHECK(e2m1_of(-values[code]) == (code | 8));
    }
}

TEST_CASE("e2m1 rounds to nearest, halfway to the even code") {
    // Halfway points: 0.25 0.75 1.25 1.75 2.5 3.5 5.
    CHECK(e2m1_of(0.25f) == 0);
    CHECK(e2m1_of(std::nextafter(0.25f, 1.0f)) == 1);
    CHECK(e2m1_of(std::nextafter(0.75f, 0.0f)) == 1);
    CHECK(e2m1_of(0.75f) == 2);
    CHECK(e2m1_of(1.25f) == 2);
    CHECK(e2m1_of(1.75f) == 4);
    CHECK(e2m1_of(2.5f) == 4);
    CHECK(e2m1_of(3.5f) == 6);
    CHECK(e2m1_of(5.0f) == 6);
    CHECK(e2m1_of(std::nextafter(5.0f, 6.0f)) == 7);
    CHECK(e2m1_of(-2.5f) == (8 | 4));
    CHECK(e2m1_of(-0.25f) == 8);
}

TEST_CASE("e2m1 saturates, and NaN becomes the largest positive number") {
    CHECK(e2m1_of(7.0f) == 7);
    CHECK(e2m1_of(1e30f) == 7);
    CHECK(e2m1_of(infinity) == 7);
    CHECK(e2m1_of(-infinity) == 15);
    CHECK(e2m1_of(not_a_number) == 7);
    CHECK(e2m1_of(-not_a_number) == 7);
    CHECK(e2m1_of(std::numeric_limits<float>::denorm_min()) == 0);
}

TEST_CASE("fp4_convert scales, packs the earlier element low and pads with zero") {
    const std::vector<float> in{1.0f, -2.0f, 0.3f, 100.0f, 1.5f};
    std::vector<std::uint8_t> out(3);
    reference::fp4_convert(in, 2.0f, out);
    // 2 -> 4, -4 -> 14; 0.6 -> 0.5 -> 1, 200 -> 6 -> 7; 3 -> 5, nothing -> 0.
    CHECK(out == std::vector<std::uint8_t>{0xe4, 0x71, 0x05});
}

TEST_CASE("half and bfloat16 have the codes of IEEE 754 and of its upper half") {
    const auto half = [](float value) { return reference::encode(value, reference::half); };
    const auto bfloat16 = [](float value) { return reference::encode(value, reference::bfloat16); };
    CHECK(half(1.0f) == 0x3c00);
    CHECK(half(-2.0f) == 0xc000);
    CHECK(half(65504.0f) == 0x7bff);
    CHECK(half(65519.0f) == 0x7bff);
    CHECK(half(65520.0f) == 0x7c00);
    CHECK(half(-infinity) == 0xfc00);
    CHECK(half(not_a_number) == 0x7fff);
    CHECK(half(std::ldexp(1.0f, -24)) == 0x0001);
    CHECK(half(std::ldexp(1.0f, -25)) == 0x0000);
    CHECK(half(std::ldexp(1.5f, -25)) == 0x0001);
    CHECK(half(1.0f + std::ldexp(1.0f, -11)) == 0x3c00);
    CHECK(half(1.0f + std::ldexp(3.0f, -11)) == 0x3c02);
    CHECK(bfloat16(1.0f) == 0x3f80);
    CHECK(bfloat16(-0.0f) == 0x8000);
    CHECK(bfloat16(1.0f + std::ldexp(1.0f, -8)) == 0x3f80);
    CHECK(bfloat16(1.0f + std::ldexp(3.0f, -8)) == 0x3f82);
    CHECK(bfloat16(std::numeric_limits<float>::max()) == 0x7f80);
    CHECK(bfloat16(not_a_number) == 0x7fff);
}

TEST_CASE("decode is the inverse of encode for every code that is a number") {
    for (const reference::NarrowFormat format : {reference::half, reference::bfloat16}) {
        int wrong = 0;
        int numbers = 0;
        for (unsigned code = 0; code <= 0xffff; ++code) {
            const float value = reference::decode(static_cast<std::uint16_t>(code), format);
            if (!std::isnan(value)) {
                ++numbers;
                wrong += reference::encode(value, format) != code;
            }
        }
        const int not_numbers = 2 * ((1 << format.fraction_bits) - 1);
        CHECK(numbers == 65536 - not_numbers);
        CHECK(wrong == 0);
    }
}

TEST_CASE("bulk_copy copies") {
    const std::vector<std::uint8_t> in{1, 2, 3, 255};
    std::vector<std::uint8_t> out(4);
    reference::bulk_copy(in, out);
    CHECK(out == in);
}

TEST_CASE("sizes that do not fit each other are refused") {
    const std::vector<float> three(3);
    std::vector<float> two(2);
    std::vector<double> sums(2);
    std::vector<std::uint8_t> bytes(1);
    const std::vector<std::uint8_t> no_bytes;
    CHECK_THROWS_AS(reference::vector_add(three, three, two), std::invalid_argument);
    CHECK_THROWS_AS(reference::rms_norm(three, two, 0.0f, sums), std::invalid_argument);
    CHECK_THROWS_AS(reference::block_sum(three, 32, sums), std::invalid_argument);
    CHECK_THROWS_AS(reference::fp4_convert(three, 1.0f, bytes), std::invalid_argument);
    CHECK_THROWS_AS(reference::bulk_copy(no_bytes, bytes), std::invalid_argument);
}
