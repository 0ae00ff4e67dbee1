// SPDX-License-Identifier: Apache-2.0
#include "children.h"
#include "fixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>

using namespace kiln;
using namespace kiln::gpu;

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(const auto& action) {
    const auto start = Clock::now();
    action();
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

const Request cub = shipped("block_sum", {{"dtype", "float"}, {"block_size", "256"}});

/// From asking for the kernel to its first launch done.
void add_once(const Service& with, const DeviceVector<float>& data) {
    const auto add = with.kernel(shipped("vector_add"), {}, tested_device);
    add(LaunchConfig{}, data.data(), data.data(), data.data(), 1u);
    wait();
}

void sum_once(const Service& with, const DeviceVector<float>& data) {
    const auto sum = with.kernel(cub, {}, tested_device);
    LaunchConfig config;
    config.block.x = 256;
    sum(config, static_cast<const float*>(data.data()), data.data(), 1u);
    wait();
}

} // namespace

TEST_CASE("from the request to the launch done: compiled, from memory, from disk") {
    if (!sanitizer_in_use().empty())
        return Report::of_run().skip("times mean nothing under compute-sanitizer");
    auto& report = Report::of_run();
    const DeviceVector<float> data(std::vector<float>{0.0f});
    wait();

    std::vector<double> asked;
    std::vector<double> cold;
    std::vector<double> cold_cub;
    std::vector<double> memory;
    const base::TemporaryDirectory kept;
    for (int round = 0; round < 3; ++round) {
        const auto cache = kept.path() / std::to_string(round);
        const Service fresh(service_options(cache.string()));
        // With a new cache the toolkit is asked what it can do, which is remembered there.
        asked.push_back(milliseconds([&] { static_cast<void>(fresh.all_archs()); }));
        cold.push_back(milliseconds([&] { add_once(fresh, data); }));
        cold_cub.push_back(milliseconds([&] { sum_once(fresh, data); }));
        for (int i = 0; i < 1000; ++i)
            memory.push_back(milliseconds([&] { add_once(fresh, data); }));
    }
    report.add_time("first use with a new cache: the toolkit found and asked", median(asked), "ms");
    report.add_time("vector_add: compiled (worker started), loaded, launched and done",
                    median(cold), "ms");
    report.add_time("block_sum with CUB: compiled, loaded, launched and done", median(cold_cub),
                    "ms");
    report.add_time("vector_add: memory hit, launched and done", median(memory) * 1000, "us");

    std::vector<double> service_made;
    std::vector<double> loaded;
    std::vector<double> done;
    std::vector<double> whole;
    for (int round = 0; round < 7; ++round) {
        const auto result = child({"first-launch", (kept.path() / "0").string()});
        REQUIRE(result.code == 0);
        std::istringstream numbers(result.output);
        double made = 0;
        double load = 0;
        double end = 0;
        REQUIRE(static_cast<bool>(numbers >> made >> load >> end));
        service_made.push_back(made);
        loaded.push_back(load);
        done.push_back(end);
        whole.push_back(result.seconds * 1000);
    }
    report.add_time("vector_add: new process, context ready: service made", median(service_made),
                    "ms");
    report.add_time("vector_add: new process, context ready: disk hit, loaded", median(loaded),
                    "ms");
    report.add_time("vector_add: new process, context ready: disk hit, launched and done",
                    median(done), "ms");
    report.add_time("vector_add: new process in all, context made, disk hit, launched and done",
                    median(whole), "ms");
    CHECK(median(done) < median(cold));
    CHECK(median(memory) < median(done));
}
