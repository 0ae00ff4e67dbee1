// SPDX-License-Identifier: Apache-2.0
#include "children.h"
#include "fixture.h"

#include <algorithm>
#include <thread>

using namespace kiln;
using namespace kiln::gpu;

namespace {

Kernel mode_kernel(const std::string& name) {
    return kernel(of_tests("launch_modes.cu"), name);
}

LaunchConfig one_thread() {
    return {};
}

} // namespace

TEST_CASE("arguments of every size arrive where the kernel expects them") {
    struct Point {
        double x;
        int tag;
    };
    const auto mixed = mode_kernel("mixed");
    const DeviceVector<double> out(7);
    mixed(one_thread(), static_cast<signed char>(-3), static_cast<short>(-300), -70000, 0.5,
          Point{2.5, 42}, true, out.data());
    CHECK(out.get() == std::vector<double>{-3, -300, -70000, 0.5, 2.5, 42, 1});
}

TEST_CASE("a kernel without parameters launches") {
    mode_kernel("nothing")(one_thread());
    wait();
}

TEST_CASE("a wrong argument list is an error with the signature, and the device goes on") {
    const auto add = kernel(shipped("vector_add"));
    const DeviceVector<float> data(std::vector<float>{1.5f});
    float* const p = data.data();
    std::string message;
    CHECK(code_of([&] { add(one_thread(), p, p, p); }, &message) == ErrorCode::usage);
    CHECK(message ==
          "vector_add(8, 8, 8, 4 bytes) takes 4 arguments and was given 3 (8, 8, 8 bytes)");
    CHECK(code_of([&] { add(one_thread(), p, p, p, std::uint64_t{1}); }, &message) ==
          ErrorCode::usage);
    CHECK(message.find("argument 4 of vector_add(8, 8, 8, 4 bytes) has 8 bytes") !=
          std::string::npos);
    CHECK(code_of([&] { add(one_thread(), p, p, 1u, p); }) == ErrorCode::usage);
    CHECK(code_of([&] { add(one_thread()); }) == ErrorCode::usage);
    add(one_thread(), p, p, p, 1u);
    CHECK(data.get() == std::vector<float>{3.0f});
}

TEST_CASE("grids and blocks that do not fit are errors that name the bound") {
    const auto bounded = mode_kernel("bounded");
    const DeviceVector<unsigned> threads(1);
    LaunchConfig config;
    config.block.x = 65;
    std::string message;
    CHECK(code_of([&] { bounded(config, threads.data()); }, &message) == ErrorCode::usage);
    CHECK(message.find("65 threads is more than the 64") != std::string::npos);
    config.block.x = 0;
    CHECK(code_of([&] { bounded(config, threads.data()); }) == ErrorCode::usage);
    config.block.x = 64;
    config.grid.y = 65536;
    CHECK(code_of([&] { bounded(config, threads.data()); }) == ErrorCode::usage);
    config.grid.y = 1;
    bounded(config, threads.data());
    CHECK(threads.get().front() == 64);
}

namespace {

void fill_shared(const Kernel& fill, std::uint32_t bytes) {
    CAPTURE(bytes);
    const unsigned words = bytes / 4;
    const DeviceVector<unsigned long long> sum(std::vector<unsigned long long>{0});
    LaunchConfig config;
    config.block.x = 256;
    config.dynamic_shared_bytes = bytes;
    fill(config, words, sum.data());
    CHECK(sum.get().front() == std::uint64_t{words} * (words - 1) / 2);
}

} // namespace

TEST_CASE("dynamic shared memory above 48 KiB is opted into, up and down, to the last byte") {
    const auto fill = mode_kernel("fill_shared");
    const std::uint32_t most = device_info().shared_bytes_per_block;
    for (const std::uint32_t bytes : {1024u, 48u * 1024, 48u * 1024 + 4, 64u * 1024, most, 4096u}) {
        if (bytes <= most)
            fill_shared(fill, bytes);
    }
    LaunchConfig config;
    config.dynamic_shared_bytes = most + 4;
    std::string message;
    CHECK(code_of([&] { fill(config, 1u, static_cast<unsigned long long*>(nullptr)); }, &message) ==
          ErrorCode::usage);
    CHECK(message.find(std::to_string(most)) != std::string::npos);
}

TEST_CASE("two threads opt into different amounts of shared memory at once") {
    const auto fill = mode_kernel("fill_shared");
    const std::uint32_t most = device_info().shared_bytes_per_block / 1024;
    std::vector<std::thread> threads;
    std::vector<std::string> errors(2);
    for (const unsigned which : {0u, 1u}) {
        threads.emplace_back([&, which] {
            try {
                const DeviceVector<unsigned long long> sum(1);
                for (std::uint32_t kib = 40 + which; kib <= most; kib += 2) {
                    LaunchConfig config;
                    config.block.x = 128;
                    config.dynamic_shared_bytes = kib * 1024;
                    fill(config, kib * 256, sum.data());
                }
                wait();
            } catch (const Error& error) {
                errors[which] = error.what();
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    CHECK(errors == std::vector<std::string>{"", ""});
}

TEST_CASE("two host threads launch 1000 times each") {
    const auto count = mode_kernel("count");
    const DeviceVector<unsigned long long> launches(std::vector<unsigned long long>{0});
    std::vector<std::thread> threads;
    std::vector<std::string> errors(2);
    for (auto& error : errors) {
        threads.emplace_back([&] {
            try {
                for (int i = 0; i < 1000; ++i)
                    count(one_thread(), launches.data());
            } catch (const Error& caught) {
                error = caught.what();
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    CHECK(errors == std::vector<std::string>{"", ""});
    CHECK(launches.get().front() == 2000);
}

TEST_CASE("a fault on the device is an error at the next wait and the next launch") {
    if (!sanitizer_in_use().empty())
        return Report::of_run().skip("the fault is meant, and compute-sanitizer would report it");
    const base::TemporaryDirectory cache;
    const auto result = child({"fault", cache.path().string()});
    CAPTURE(result.output);
    CHECK(result.code == 0);
    CHECK(result.output.starts_with("driver_failed: cuCtxSynchronize failed: "));
    CHECK(result.output.find("driver_failed: launching fault(8 bytes) on device 0") !=
          std::string::npos);
}
