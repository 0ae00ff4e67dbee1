// SPDX-License-Identifier: Apache-2.0
#include "children.h"

#include "base/process.h"
#include "fixture.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

namespace kiln::gpu {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

int show_devices() {
    const auto list = devices();
    fmt::print("{} {}\n", list.devices.size(), list.reason);
    return 0;
}

/// From a cache that has it, in sealed mode, so that a hit is the only way.
int first_launch(const std::string& cache) {
    const DeviceVector<float> a(1);
    const DeviceVector<float> b(1);
    const DeviceVector<float> out(1);
    wait();
    const auto start = Clock::now();
    auto options = service_options(cache);
    options.mode = Mode::sealed;
    const Service fresh(options);
    const auto made = milliseconds_since(start);
    const auto add = fresh.kernel(shipped("vector_add"), {}, tested_device);
    const auto loaded = milliseconds_since(start);
    add(LaunchConfig{}, a.data(), b.data(), out.data(), 1u);
    wait();
    fmt::print("{} {} {}\n", made, loaded, milliseconds_since(start));
    return 0;
}

void show_error(const auto& action) {
    try {
        action();
        fmt::print("no error\n");
    } catch (const Error& error) {
        fmt::print("{}: {}\n", to_string(error.code()), error.message());
    }
}

/// A kernel that writes to nowhere: who waits for it, and who comes after, is told.
int fault(const std::string& cache) {
    const Service fresh(service_options(cache));
    const auto bad = fresh.kernel(of_tests("launch_modes.cu"), "fault", tested_device);
    bad(LaunchConfig{}, static_cast<int*>(nullptr));
    show_error([] { wait(); });
    show_error([&] { bad(LaunchConfig{}, static_cast<int*>(nullptr)); });
    return 0;
}

} // namespace

int run_child(const std::vector<std::string>& arguments) {
    const auto& verb = arguments.front();
    if (verb == "devices")
        return show_devices();
    if (verb == "first-launch" && arguments.size() == 2)
        return first_launch(arguments[1]);
    if (verb == "fault" && arguments.size() == 2)
        return fault(arguments[1]);
    return 2;
}

ChildResult child(std::vector<std::string> arguments,
                  const std::vector<std::pair<std::string, std::string>>& variables) {
    base::ProcessOptions options;
    options.program = std::filesystem::read_symlink("/proc/self/exe");
    options.arguments = std::move(arguments);
    options.arguments.insert(options.arguments.begin(), "--child");
    options.environment = base::Environment::of_process();
    for (const auto& [name, value] : variables)
        options.environment.set(name, value);
    const auto run = base::run_process(options, std::chrono::seconds(120));
    if (!run.exit.ok())
        fmt::print("{}{}", run.output, run.errors);
    const bool ended = run.exit.signal == 0 && !run.timed_out;
    return {ended ? run.exit.code : -1, run.output, run.seconds};
}

} // namespace kiln::gpu
