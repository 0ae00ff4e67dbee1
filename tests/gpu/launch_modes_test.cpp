// SPDX-License-Identifier: Apache-2.0
#include "device/context.h"
#include "fixture.h"

#include <fmt/format.h>

using namespace kiln;
using namespace kiln::gpu;

namespace {

bool has_clusters() {
    return device_info().capability >= ComputeCapability{9, 0};
}

std::string needs_hopper() {
    return fmt::format("needs compute capability 9.0, the device is {}",
                       device_info().capability.str());
}

} // namespace

TEST_CASE("a cooperative launch lets the whole grid meet") {
    const auto meet = kernel(of_tests("cooperative.cu"), "meet");
    const DeviceVector<unsigned> arrived(std::vector<unsigned>{0});
    const DeviceVector<unsigned> wrong(std::vector<unsigned>{0});
    const DeviceVector<unsigned> valid(std::vector<unsigned>{0});
    LaunchConfig config;
    config.grid.x = 16;
    config.block.x = 64;
    meet(config, arrived.data(), wrong.data(), valid.data());
    CHECK(valid.get().front() == 0);
    config.cooperative = true;
    meet(config, arrived.data(), wrong.data(), valid.data());
    CHECK(valid.get().front() == 1);
    CHECK(arrived.get().front() == 16);
    CHECK(wrong.get().front() == 0);
}

TEST_CASE("a cooperative grid that cannot be on the device at once is an error that says so") {
    if (!sanitizer_in_use().empty())
        return Report::of_run().skip("the refusal is meant, and compute-sanitizer would report it");
    const auto meet = kernel(of_tests("cooperative.cu"), "meet");
    LaunchConfig config;
    config.grid.x = 1u << 20;
    config.block.x = 64;
    config.cooperative = true;
    unsigned* const none = nullptr;
    std::string message;
    CHECK(code_of([&] { meet(config, none, none, none); }, &message) == ErrorCode::driver_failed);
    CHECK(message.find("COOPERATIVE_LAUNCH_TOO_LARGE") != std::string::npos);
    wait();
}

TEST_CASE("a cluster launch puts the blocks into clusters") {
    if (!has_clusters())
        return Report::of_run().skip(needs_hopper());
    const auto ranks_of = kernel(of_tests("hopper.cu"), "cluster_ranks");
    for (const unsigned size : {1u, 2u, 4u, 8u}) {
        CAPTURE(size);
        const DeviceVector<unsigned> ranks(16);
        const DeviceVector<unsigned> sizes(16);
        LaunchConfig config;
        config.grid.x = 16;
        config.block.x = 32;
        config.cluster = {size, 0, 0};
        ranks_of(config, ranks.data(), sizes.data());
        std::vector<unsigned> expected;
        for (unsigned block = 0; block < 16; ++block)
            expected.push_back(block % size);
        CHECK(ranks.get() == expected);
        CHECK(sizes.get() == std::vector<unsigned>(16, size));
    }
    LaunchConfig config;
    config.grid.x = 15;
    config.cluster = {2, 1, 1};
    unsigned* const none = nullptr;
    CHECK(code_of([&] { ranks_of(config, none, none); }) == ErrorCode::usage);
}

namespace {

struct Pair {
    unsigned saw_second = 0;
    unsigned result = 0;
};

/// The first kernel of hopper.cu, then the second on the same stream.
Pair launch_pair(bool overlap, unsigned value) {
    const auto first = kernel(of_tests("hopper.cu"), "first");
    const auto second = kernel(of_tests("hopper.cu"), "second");
    const DeviceVector<unsigned> begun(std::vector<unsigned>{0});
    const DeviceVector<unsigned> saw(std::vector<unsigned>{7});
    const DeviceVector<unsigned> between(std::vector<unsigned>{0});
    const DeviceVector<unsigned> out(std::vector<unsigned>{0});
    // The kernels are loaded before: loading waits for the device, and the pair would not overlap.
    const unsigned long long limit = overlap ? 2'000'000'000 : 20'000'000;
    first(LaunchConfig{}, begun.data(), saw.data(), limit, value, between.data());
    LaunchConfig config;
    config.programmatic_stream_serialization = overlap;
    second(config, begun.data(), static_cast<const unsigned*>(between.data()), out.data());
    return {saw.get().front(), out.get().front()};
}

} // namespace

TEST_CASE("a programmatic dependent launch begins before the kernel it depends on has ended") {
    if (!has_clusters())
        return Report::of_run().skip(needs_hopper());
    const auto apart = launch_pair(false, 40);
    CHECK(apart.saw_second == 0);
    CHECK(apart.result == 41);
    if (!sanitizer_in_use().empty())
        return Report::of_run().skip("compute-sanitizer runs one kernel at a time");
    const auto together = launch_pair(true, 50);
    CHECK(together.saw_second == 1);
    CHECK(together.result == 51);
}

TEST_CASE("a launch on a stream of the caller's runs in it") {
    const auto& driver = device::Driver::get_for_loading();
    const auto create =
        reinterpret_cast<PFN_cuStreamCreate_v2000>(driver.find("cuStreamCreate", 2000));
    const auto finish =
        reinterpret_cast<PFN_cuStreamSynchronize_v2000>(driver.find("cuStreamSynchronize", 2000));
    const auto destroy =
        reinterpret_cast<PFN_cuStreamDestroy_v4000>(driver.find("cuStreamDestroy", 4000));
    const auto count = kernel(of_tests("launch_modes.cu"), "count");
    const DeviceVector<unsigned long long> launches(std::vector<unsigned long long>{0});
    const device::ContextScope scope(tested_device);
    CUstream stream = nullptr;
    REQUIRE(create(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    LaunchConfig config;
    for (CUstream_st* const one : {stream, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD}) {
        config.stream = one;
        count(config, launches.data());
        CHECK(finish(one) == CUDA_SUCCESS);
    }
    CHECK(launches.get().front() == 3);
    CHECK(destroy(stream) == CUDA_SUCCESS);
}
