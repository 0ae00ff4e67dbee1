// SPDX-License-Identifier: Apache-2.0
#include "device/driver.h"
#include "device/library.h"
#include "fixture.h"

#include <fmt/format.h>

using namespace kiln;
using namespace kiln::gpu;

namespace {

/// vector_add for exactly this target.
Cubin for_target(const Target& target) {
    ArchRequest arch;
    arch.target = target;
    arch.written_out = true;
    return service().get(shipped("vector_add"), arch);
}

void check_runs(const Cubin& cubin) {
    const auto add =
        device::Library::load(cubin, tested_device).kernel("vector_add", tested_device);
    const DeviceVector<float> data(std::vector<float>{2.0f});
    add(LaunchConfig{}, data.data(), data.data(), data.data(), 1u);
    CHECK(data.get() == std::vector<float>{4.0f});
    Report::of_run().add_cubin("vector_add", cubin);
}

} // namespace

TEST_CASE("cubins for the device's own target load, plain and with each suffix it has") {
    const auto capability = device_info().capability;
    check_runs(for_target({capability, Suffix::none, TargetKind::real}));
    if (capability >= ComputeCapability{9, 0})
        check_runs(for_target({capability, Suffix::a, TargetKind::real}));
    if (capability >= ComputeCapability{10, 0})
        check_runs(for_target({capability, Suffix::f, TargetKind::real}));
}

TEST_CASE("a cubin for another SM is refused before the driver sees it, naming both") {
    const auto capability = device_info().capability;
    int refused = 0;
    for (const char* text : {"sm_75", "sm_80", "sm_90", "sm_90a", "sm_100", "sm_120", "sm_120a"}) {
        const auto target = Target::parse(text);
        if (runs_on(target, capability))
            continue;
        CAPTURE(text);
        auto cubin = for_target(target);
        std::string message;
        const auto load = [&] { device::Library::load(cubin, tested_device); };
        CHECK(code_of(load, &message) == ErrorCode::unsupported_target);
        CHECK(message == fmt::format("a cubin for {} does not run on device 0 ({}, compute "
                                     "capability {})",
                                     text, device_info().name, capability.str()));
        // That a policy fixed the target does not make it run.
        cubin.runs_on_device = false;
        CHECK(code_of(load) == ErrorCode::unsupported_target);
        ++refused;
    }
    CHECK(refused >= 5);
}

TEST_CASE("an image that the driver refuses is an error with both versions") {
    if (!sanitizer_in_use().empty())
        return Report::of_run().skip("the refusal is meant, and compute-sanitizer would report it");
    auto cubin = for_target({device_info().capability, Suffix::none, TargetKind::real});
    // Not an image at all: what is merely damaged may crash the driver.
    cubin.bytes = std::make_shared<const std::vector<std::byte>>(4096);
    std::string message;
    CHECK(code_of(
              [&] {
                  device::Library::load(cubin, tested_device).kernel("vector_add", tested_device);
              },
              &message) == ErrorCode::driver_failed);
    CHECK(message.find("that CUDA " + cubin.toolkit + " made") != std::string::npos);
    CHECK(message.find("the driver (CUDA " + devices().driver_version + ")") != std::string::npos);
}

TEST_CASE("a kernel that the cubin does not have is named with those it has") {
    const auto cubin = for_target({device_info().capability, Suffix::none, TargetKind::real});
    const auto library = device::Library::load(cubin, tested_device);
    CHECK(code_of([&] { library.kernel("vector_sub", tested_device); }) ==
          ErrorCode::kernel_missing);
    CHECK(library.kernel({}, tested_device).info().symbol == "vector_add");
}

namespace {

/// Asked of the driver itself; false where it is too old to say.
bool has_parameter(const Kernel& kernel, std::size_t index) {
    const auto get = reinterpret_cast<PFN_cuFuncGetParamInfo_v12040>(
        device::Driver::get().find("cuFuncGetParamInfo", 12040));
    std::size_t offset = 0;
    std::size_t size = 0;
    return get != nullptr &&
           get(static_cast<CUfunction>(kernel.function()), index, &offset, &size) == CUDA_SUCCESS;
}

} // namespace

TEST_CASE("the driver lays parameters out as the cubin says, and has no more") {
    if (!sanitizer_in_use().empty())
        return Report::of_run().skip("asks beyond the end, and compute-sanitizer would report it");
    ArchRequest arch;
    arch.target.capability = device_info().capability;
    for (const auto& request :
         {shipped("vector_add"), shipped("rms_norm"), of_tests("launch_modes.cu")}) {
        const auto cubin = service().get(request, arch);
        const auto library = device::Library::load(cubin, tested_device);
        for (const auto& of_cubin : cubin.kernels) {
            const auto loaded = library.kernel(of_cubin.symbol, tested_device);
            const auto& of_driver = loaded.info().parameters;
            CAPTURE(of_cubin.symbol);
            REQUIRE(of_driver.size() == of_cubin.parameters.size());
            for (std::size_t i = 0; i < of_driver.size(); ++i) {
                CHECK(of_driver[i].offset == of_cubin.parameters[i].offset);
                CHECK(of_driver[i].size == of_cubin.parameters[i].size);
            }
            CHECK_FALSE(has_parameter(loaded, of_driver.size()));
        }
    }
}
