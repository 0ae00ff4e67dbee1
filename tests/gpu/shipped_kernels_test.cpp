// SPDX-License-Identifier: Apache-2.0
#include "fixture.h"
#include "kernels/reference/reference.h"

#include <fmt/format.h>

#include <cmath>

using namespace kiln;
using namespace kiln::gpu;

TEST_CASE("vector_add is right bit by bit, in place too") {
    const auto add = kernel(shipped("vector_add"));
    for (const unsigned n : {0u, 1u, 31u, 255u, 256u, 257u, 1000003u}) {
        for (const unsigned block : {32u, 96u, 1024u}) {
            CAPTURE(n);
            CAPTURE(block);
            const auto a = random_floats(n, 1);
            const auto b = random_floats(n, 2);
            std::vector<float> expected(n);
            reference::vector_add(a, b, expected);
            const DeviceVector<float> on_a(a);
            const DeviceVector<float> on_b(b);
            const DeviceVector<float> out(n);
            add(grid_of(n, block), on_a.data(), on_b.data(), out.data(), n);
            CHECK(out.get() == expected);
            add(grid_of(n, block), on_a.data(), on_b.data(), on_a.data(), n);
            CHECK(on_a.get() == expected);
        }
    }
}

namespace {

template <typename T, typename Sum>
void check_block_sum(const char* dtype, unsigned block, const auto& tolerance) {
    const auto sum =
        kernel(shipped("block_sum", {{"dtype", dtype}, {"block_size", std::to_string(block)}}));
    const auto tile = static_cast<unsigned>(reference::block_sum_tile(block));
    for (const unsigned n : {1u, 31u, tile - 1, tile, tile + 1, 1000003u}) {
        CAPTURE(dtype);
        CAPTURE(block);
        CAPTURE(n);
        std::vector<T> in;
        for (const float value : random_floats(n, n))
            in.push_back(static_cast<T>(1000 * value));
        std::vector<Sum> expected((n + tile - 1) / tile);
        reference::block_sum(in, block, expected);
        const DeviceVector<T> on_in(in);
        const DeviceVector<T> sums(expected.size());
        LaunchConfig config;
        config.grid.x = static_cast<std::uint32_t>(expected.size());
        config.block.x = block;
        sum(config, static_cast<const T*>(on_in.data()), sums.data(), n);
        const auto got = sums.get();
        bool right = true;
        for (std::size_t b = 0; b < got.size(); ++b) {
            const auto begin = in.begin() + static_cast<std::ptrdiff_t>(b * tile);
            const auto end = b + 1 == got.size() ? in.end() : begin + tile;
            right =
                right && std::abs(static_cast<double>(got[b]) - static_cast<double>(expected[b])) <=
                             tolerance(std::span<const T>(begin, end));
        }
        CHECK(right);
    }
}

} // namespace

TEST_CASE("block_sum adds up each tile") {
    for (const unsigned block : {128u, 256u, 512u}) {
        check_block_sum<float, double>("float", block, [](std::span<const float> tile) {
            double magnitudes = 0;
            for (const float value : tile)
                magnitudes += std::fabs(value);
            return 1e-5 * magnitudes;
        });
        check_block_sum<int, std::int64_t>("int", block, [](std::span<const int>) { return 0.0; });
    }
}

TEST_CASE("bulk_copy copies any size from any alignment, or is refused with a reason") {
    ArchRequest arch;
    arch.target.capability = device_info().capability;
    const auto plan = service().plan(shipped("bulk_copy"), arch);
    if (plan.verdict != Verdict::allow) {
        CHECK(arch.target.capability < ComputeCapability{9, 0});
        Report::of_run().skip(fmt::format("bulk_copy: {}", plan.reason));
        return;
    }
    const auto copy = kernel(shipped("bulk_copy"));
    for (const std::size_t n : {0u, 1u, 15u, 16u, 17u, 16384u, 16385u, 100000u, 4194309u}) {
        for (const std::size_t offset : {0u, 1u, 16u}) {
            std::vector<std::uint8_t> in(n + offset);
            std::mt19937 generator(static_cast<unsigned>(n));
            for (auto& byte : in)
                byte = static_cast<std::uint8_t>(generator());
            std::vector<std::uint8_t> expected(n);
            reference::bulk_copy(std::span(in).subspan(offset), expected);
            const DeviceVector<std::uint8_t> on_in(in);
            for (const auto& [grid, block] : {std::pair{1u, 32u}, {3u, 1u}, {264u, 256u}}) {
                CAPTURE(n);
                CAPTURE(offset);
                CAPTURE(grid);
                const DeviceVector<std::uint8_t> out(n);
                LaunchConfig config;
                config.grid.x = grid;
                config.block.x = block;
                copy(config, static_cast<const std::uint8_t*>(on_in.data()) + offset, out.data(),
                     static_cast<unsigned long long>(n));
                CHECK(out.get() == expected);
            }
        }
    }
}

TEST_CASE("fp4_convert is right bit by bit, or is refused with a reason") {
    ArchRequest arch;
    arch.target.capability = device_info().capability;
    const auto plan = service().plan(shipped("fp4_convert"), arch);
    if (plan.verdict != Verdict::allow) {
        CHECK(arch.target.capability < ComputeCapability{10, 0});
        CHECK_FALSE(plan.reason.empty());
        std::string message;
        const auto code = code_of([] { kernel(shipped("fp4_convert")); }, &message);
        CHECK((code == ErrorCode::denied || code == ErrorCode::unsupported_target));
        Report::of_run().skip(fmt::format("fp4_convert: {}", plan.reason));
        return;
    }
    const auto convert = kernel(shipped("fp4_convert"));
    for (const unsigned n : {0u, 1u, 2u, 255u, 256u, 1000003u}) {
        CAPTURE(n);
        auto in = random_floats(n, 3);
        // Ties, saturation and the numbers at the edges.
        const float special[] = {0.25f,
                                 0.75f,
                                 1.25f,
                                 2.5f,
                                 5.0f,
                                 6.0f,
                                 7.0f,
                                 -0.0f,
                                 1e30f,
                                 -1e-30f,
                                 std::numeric_limits<float>::infinity(),
                                 std::numeric_limits<float>::quiet_NaN()};
        for (std::size_t i = 0; i < std::min<std::size_t>(n, std::size(special)); ++i)
            in[i] = special[i];
        std::vector<std::uint8_t> expected((n + 1) / 2);
        reference::fp4_convert(in, 1.5f, expected);
        const DeviceVector<float> on_in(in);
        const DeviceVector<std::uint8_t> out(expected.size());
        convert(grid_of(expected.size(), 256), static_cast<const float*>(on_in.data()), out.data(),
                n, 1.5f);
        CHECK(out.get() == expected);
    }
}
