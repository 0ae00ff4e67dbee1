// SPDX-License-Identifier: Apache-2.0
#include "fixture.h"
#include "kernels/reference/reference.h"

#include <cmath>

using namespace kiln;
using namespace kiln::gpu;

namespace {

/// How the host has one of the kernel's types: `Code` is what is in memory.
struct Float {
    using Code = float;
    static constexpr const char* name = "float";
    static constexpr double half_unit = 0;
    static float encode(float value) { return value; }
    static float decode(float code) { return code; }
};

struct Half {
    using Code = std::uint16_t;
    static constexpr const char* name = "__half";
    static constexpr double half_unit = 1.0 / 2048;
    static Code encode(float value) { return reference::encode(value, reference::half); }
    static float decode(Code code) { return reference::decode(code, reference::half); }
};

struct Bfloat16 {
    using Code = std::uint16_t;
    static constexpr const char* name = "__nv_bfloat16";
    static constexpr double half_unit = 1.0 / 256;
    static Code encode(float value) { return reference::encode(value, reference::bfloat16); }
    static float decode(Code code) { return reference::decode(code, reference::bfloat16); }
};

/// Codes of random numbers, and the numbers that they stand for.
template <typename Type>
std::pair<std::vector<typename Type::Code>, std::vector<float>> random_of(std::size_t n,
                                                                          unsigned seed) {
    std::vector<typename Type::Code> codes;
    auto values = random_floats(n, seed);
    for (auto& value : values) {
        codes.push_back(Type::encode(value));
        value = Type::decode(codes.back());
    }
    return {codes, values};
}

template <typename Type>
void check_rows(const Kernel& norm, unsigned columns, unsigned block, bool in_place) {
    using Code = typename Type::Code;
    constexpr unsigned rows = 3;
    constexpr float epsilon = 1e-5f;
    const auto [x, x_values] = random_of<Type>(std::size_t{rows} * columns, columns);
    const auto [weight, weight_values] = random_of<Type>(columns, columns + 1);
    std::vector<double> expected(x.size());
    reference::rms_norm(x_values, weight_values, epsilon, expected);

    const DeviceVector<Code> on_x(x);
    const DeviceVector<Code> on_weight(weight);
    const DeviceVector<Code> out(x.size());
    const auto& written = in_place ? on_x : out;
    LaunchConfig config;
    config.grid.x = rows;
    config.block.x = block;
    norm(config, on_x.data(), on_weight.data(), written.data(), columns, epsilon);
    const auto got = written.get();
    double worst = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double error = std::fabs(Type::decode(got[i]) - expected[i]);
        // Below it, a narrow type's numbers are evenly spaced.
        const double floor = 1e-7;
        const double allowed = std::fabs(expected[i]) * (1e-5 + Type::half_unit) + floor;
        worst = std::max(worst, std::isnan(error) ? HUGE_VAL : error / allowed);
    }
    CAPTURE(columns);
    CAPTURE(block);
    CAPTURE(in_place);
    CHECK(worst <= 1.0);
}

template <typename Type>
void check_all() {
    for (const char* vec : {"1", "2", "4", "8"}) {
        const auto norm = kernel(shipped("rms_norm", {{"dtype", Type::name}, {"vec", vec}}));
        CAPTURE(vec);
        for (const unsigned columns : {1u, 7u, 31u, 32u, 100u, 4096u, 5000u, 8192u}) {
            for (const unsigned block : {32u, 96u, 256u, 1024u}) {
                check_rows<Type>(norm, columns, block, false);
                check_rows<Type>(norm, columns, block, true);
            }
        }
    }
}

} // namespace

TEST_CASE("rms_norm of float is within its tolerance at every width") {
    check_all<Float>();
}

TEST_CASE("rms_norm of __half is within its tolerance at every width") {
    check_all<Half>();
}

TEST_CASE("rms_norm of __nv_bfloat16 is within its tolerance at every width") {
    check_all<Bfloat16>();
}
