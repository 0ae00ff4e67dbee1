// SPDX-License-Identifier: Apache-2.0
#include "device/context.h"
#include "fixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

using namespace kiln;
using namespace kiln::gpu;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int batch = 500;
constexpr int rounds = 200;

/// One way to launch, and how long its batches took.
struct Way {
    std::string name;
    std::function<void()> launch_batch;
    std::vector<double> nanoseconds; ///< a launch, one a batch

    double median() {
        std::sort(nanoseconds.begin(), nanoseconds.end());
        return nanoseconds[nanoseconds.size() / 2];
    }
};

/// All ways in turns, so that what changes meanwhile (clocks, other work) falls on all alike. A
/// batch fits the driver's queue, and waiting for the device is not timed.
void measure(std::vector<Way>& ways) {
    for (auto& way : ways)
        way.launch_batch();
    wait();
    for (int round = 0; round < rounds; ++round) {
        for (auto& way : ways) {
            const auto start = Clock::now();
            way.launch_batch();
            const std::chrono::duration<double, std::nano> took = Clock::now() - start;
            wait();
            way.nanoseconds.push_back(took.count() / batch);
        }
    }
}

/// vector_add as a CUkernel, which the driver launches in whatever context there is.
struct ContextLess {
    explicit ContextLess(const device::Driver& used) : driver(used) {
        ArchRequest arch;
        arch.target.capability = device_info().capability;
        const auto cubin = service().get(shipped("vector_add"), arch);
        driver.check(driver.library_load_data(&library, cubin.image().data(), nullptr, nullptr, 0,
                                              nullptr, nullptr, 0),
                     "cuLibraryLoadData");
        driver.check(driver.library_get_kernel(&kernel, library, "vector_add"),
                     "cuLibraryGetKernel");
    }
    ~ContextLess() { driver.library_unload(library); }
    ContextLess(const ContextLess&) = delete;
    ContextLess& operator=(const ContextLess&) = delete;

    const device::Driver& driver;
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
};

template <typename Launch>
Way way(std::string name, Launch launch) {
    return {std::move(name),
            [launch] {
                for (int i = 0; i < batch; ++i)
                    launch();
            },
            {}};
}

} // namespace

TEST_CASE("Kernel::launch costs little more than the driver's own call") {
    if (!sanitizer_in_use().empty())
        return Report::of_run().skip("times mean nothing under compute-sanitizer");
    const auto& driver = device::Driver::get_for_loading();
    const device::ContextScope scope(tested_device);
    const auto add = kernel(shipped("vector_add"));
    const DeviceVector<float> data(1);
    float* a = data.data();
    float* b = data.data();
    float* out = data.data();
    unsigned n = 0;
    void* arguments[] = {&a, &b, &out, &n};
    const std::size_t sizes[] = {sizeof a, sizeof b, sizeof out, sizeof n};

    const auto launch_kernel =
        reinterpret_cast<PFN_cuLaunchKernel_v4000>(driver.find("cuLaunchKernel", 4000));
    REQUIRE((launch_kernel != nullptr));
    auto* const function = static_cast<CUfunction>(add.function());
    const ContextLess same(driver);
    auto* const context_less = reinterpret_cast<CUfunction>(same.kernel);
    const auto create_stream =
        reinterpret_cast<PFN_cuStreamCreate_v2000>(driver.find("cuStreamCreate", 2000));
    const auto destroy_stream =
        reinterpret_cast<PFN_cuStreamDestroy_v4000>(driver.find("cuStreamDestroy", 4000));
    CUstream stream = nullptr;
    REQUIRE(create_stream(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);

    const auto bare = [&](CUfunction what, CUstream where) {
        launch_kernel(what, 1, 1, 1, 32, 1, 1, 0, where, arguments, nullptr);
    };
    CUlaunchConfig bare_config{};
    bare_config.gridDimX = bare_config.gridDimY = bare_config.gridDimZ = 1;
    bare_config.blockDimX = 32;
    bare_config.blockDimY = bare_config.blockDimZ = 1;
    LaunchConfig config;
    config.block.x = 32;
    LaunchConfig streamed = config;
    streamed.stream = stream;

    std::vector<Way> ways{
        way("cuLaunchKernel", [&] { bare(function, nullptr); }),
        way("cuLaunchKernel of a CUkernel", [&] { bare(context_less, nullptr); }),
        way("cuLaunchKernelEx",
            [&] { driver.launch_kernel_ex(&bare_config, function, arguments, nullptr); }),
        way("Kernel::launch", [&] { add.launch(config, arguments, sizes); }),
        way("Kernel::operator()", [&] { add(config, a, b, out, n); }),
        way("cuLaunchKernel on a stream", [&] { bare(function, stream); }),
        way("cuLaunchKernel of a CUkernel on a stream", [&] { bare(context_less, stream); }),
        way("Kernel::launch on a stream", [&] { add.launch(streamed, arguments, sizes); })};
    measure(ways);
    std::map<std::string, double> cost;
    for (auto& one : ways) {
        cost[one.name] = one.median();
        Report::of_run().add_time(fmt::format("{}, one of {} launches", one.name, batch * rounds),
                                  cost[one.name], "ns");
    }
    CHECK(destroy_stream(stream) == CUDA_SUCCESS);
    CHECK(cost["Kernel::launch"] <= 1.05 * cost["cuLaunchKernel"]);
    CHECK(cost["Kernel::operator()"] <= 1.05 * cost["cuLaunchKernel"]);
    CHECK(cost["Kernel::launch on a stream"] <= 1.05 * cost["cuLaunchKernel on a stream"]);
}
