// SPDX-License-Identifier: Apache-2.0
#include "device/context.h"
#include "device/kernel_state.h"

#include <kiln/device.h>
#include <kiln/error.h>

#include <fmt/format.h>

#include <cstdint>

namespace kiln {
namespace {

/// A launch takes its context from its stream, save from the null stream and its two named kinds
/// (CUDA Driver API, cuLaunchKernelEx): those mean the current context.
bool has_context(CUstream stream) noexcept {
    return stream != nullptr && stream != CU_STREAM_LEGACY && stream != CU_STREAM_PER_THREAD;
}

/// The driver's form of a LaunchConfig. Not copyable: it points into itself.
struct DriverConfig {
    explicit DriverConfig(const LaunchConfig& config) noexcept {
        launch.gridDimX = config.grid.x;
        launch.gridDimY = config.grid.y;
        launch.gridDimZ = config.grid.z;
        launch.blockDimX = config.block.x;
        launch.blockDimY = config.block.y;
        launch.blockDimZ = config.block.z;
        launch.sharedMemBytes = config.dynamic_shared_bytes;
        launch.hStream = config.stream;
        launch.attrs = attributes;
        launch.numAttrs = 0;
        if (config.cluster.x != 0) {
            auto& value = add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim;
            value.x = config.cluster.x;
            value.y = config.cluster.y == 0 ? 1 : config.cluster.y;
            value.z = config.cluster.z == 0 ? 1 : config.cluster.z;
        }
        if (config.cooperative)
            add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
        if (config.programmatic_stream_serialization) {
            add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
                .programmaticStreamSerializationAllowed = 1;
        }
    }
    DriverConfig(const DriverConfig&) = delete;
    DriverConfig& operator=(const DriverConfig&) = delete;

    CUlaunchAttributeValue& add(CUlaunchAttributeID id) noexcept {
        auto& attribute = attributes[launch.numAttrs++];
        attribute = {};
        attribute.id = id;
        return attribute.value;
    }

    CUlaunchConfig launch;
    CUlaunchAttribute attributes[3]; // left as they are: a plain launch must not pay for them
};

const char* launch_hint(CUresult result) {
    switch (result) {
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
        return "a cooperative grid must fit the device at once: launch fewer or smaller blocks";
    case CUDA_ERROR_INVALID_CLUSTER_SIZE:
        return "up to 8 blocks a cluster are portable";
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
        return "launch smaller blocks, or with less shared memory";
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_INVALID_HANDLE:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
        return "the stream, or the context that was current, is not one of the kernel's device, or "
               "was destroyed";
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_ASSERT:
        return "an earlier launch failed on the device: compute-sanitizer finds out which";
    default:
        return "";
    }
}

[[noreturn, gnu::cold]] void throw_launch_failed(const Kernel::State& state,
                                                 const LaunchConfig& config, CUresult result) {
    const auto& [gx, gy, gz] = config.grid;
    const auto& [bx, by, bz] = config.block;
    state.driver.fail(result,
                      fmt::format("launching {} on device {} (grid {} x {} x {}, block {} x {} x "
                                  "{}, {} bytes of dynamic shared memory)",
                                  device::signature(state.info), state.device, gx, gy, gz, bx, by,
                                  bz, config.dynamic_shared_bytes),
                      launch_hint(result));
}

[[noreturn, gnu::cold]] void throw_empty() {
    throw Error(ErrorCode::usage, "an empty Kernel was used",
                "take one from Service::kernel first");
}

CUresult launch(const Kernel::State& state, const DriverConfig& config, void** arguments) {
    // The driver takes a CUkernel for a CUfunction and finds the function of the context itself
    // (CUDA Driver API, cuLaunchKernelEx).
    return state.driver.launch_kernel_ex(&config.launch, reinterpret_cast<CUfunction>(state.kernel),
                                         arguments, nullptr);
}

CUcontext primary_of(const Kernel::State& state) {
    auto* primary = state.primary.load(std::memory_order_relaxed);
    if (primary == nullptr) {
        primary = device::primary_context(state.driver, state.device);
        state.primary.store(primary, std::memory_order_relaxed);
    }
    return primary;
}

CUresult launch_in_current(const Kernel::State& state, const DriverConfig& config,
                           void** arguments) {
    const auto& driver = state.driver;
    CUcontext current = nullptr;
    if (const auto result = driver.ctx_get_current(&current); result != CUDA_SUCCESS)
        return result;
    if (current != nullptr && (current == state.primary.load(std::memory_order_relaxed) ||
                               device::current_is_of(driver, state.handle)))
        return launch(state, config, arguments);
    const device::PushedContext pushed(driver, primary_of(state));
    return launch(state, config, arguments);
}

} // namespace

Kernel::Kernel() = default;
Kernel::Kernel(std::shared_ptr<const State> state) : state_(std::move(state)) {}
Kernel::Kernel(const Kernel&) = default;
Kernel::Kernel(Kernel&&) noexcept = default;
Kernel& Kernel::operator=(const Kernel&) = default;
Kernel& Kernel::operator=(Kernel&&) noexcept = default;
Kernel::~Kernel() = default;

const KernelInfo& Kernel::info() const {
    if (!state_)
        throw_empty();
    return state_->info;
}

int Kernel::device() const {
    if (!state_)
        throw_empty();
    return state_->device;
}

void Kernel::launch(const LaunchConfig& config, std::span<void* const> arguments,
                    std::span<const std::size_t> sizes) const {
    if (!state_) [[unlikely]]
        throw_empty();
    device::Driver::refuse_forked_child();
    const auto& state = *state_;
    device::check_arguments(state.info, arguments, sizes);
    device::check_config(state.info, state.limits, config);
    if (config.dynamic_shared_bytes > state.shared_allowed.load(std::memory_order_acquire))
        state.allow_shared(config.dynamic_shared_bytes);
    // The driver's interface is older than const.
    auto** const pointers = const_cast<void**>(arguments.data());
    const DriverConfig driver_config(config);
    const auto result = has_context(config.stream)
                            ? kiln::launch(state, driver_config, pointers)
                            : launch_in_current(state, driver_config, pointers);
    if (result != CUDA_SUCCESS) [[unlikely]]
        throw_launch_failed(state, config, result);
}

void* Kernel::function() const {
    if (!state_)
        throw_empty();
    const device::ContextScope scope(state_->driver, state_->device);
    CUfunction function = nullptr;
    state_->driver.check(state_->driver.kernel_get_function(&function, state_->kernel),
                         "cuKernelGetFunction");
    return function;
}

} // namespace kiln
