// SPDX-License-Identifier: Apache-2.0
#include "device/kernel_state.h"

#include "base/log.h"
#include "device/context.h"
#include "device/query.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace kiln {
namespace {

std::uint32_t kernel_attribute(const device::Driver& driver, CUfunction_attribute attribute,
                               CUkernel kernel, CUdevice device) {
    int value = 0;
    driver.check(driver.kernel_get_attribute(&value, attribute, kernel, device),
                 "cuKernelGetAttribute");
    return static_cast<std::uint32_t>(value);
}

} // namespace

Kernel::State::State(const device::Driver& used_driver, CUkernel loaded, int index,
                     KernelInfo kernel_info)
    : driver(used_driver), kernel(loaded), device(index),
      handle(device::device_handle(used_driver, index)), info(std::move(kernel_info)) {
    primary = device::primary_context_if_active(driver, device);
    read_parameters();
    read_limits();
}

void Kernel::State::read_parameters() {
    if (driver.kernel_get_param_info == nullptr)
        return;
    std::vector<KernelParameter> parameters;
    // No further than the cubin says: asking beyond the end is how the driver's list ends, and
    // tools that watch for failed calls would report it.
    for (std::size_t i = 0; i < info.parameters.size(); ++i) {
        std::size_t offset = 0;
        std::size_t size = 0;
        if (driver.kernel_get_param_info(kernel, i, &offset, &size) != CUDA_SUCCESS)
            break;
        parameters.push_back(
            {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(size)});
    }
    const auto same = [](const KernelParameter& a, const KernelParameter& b) {
        return a.offset == b.offset && a.size == b.size;
    };
    if (!std::equal(parameters.begin(), parameters.end(), info.parameters.begin(),
                    info.parameters.end(), same)) {
        KernelInfo driver_says = info;
        driver_says.parameters = parameters;
        base::log().warn("the cubin lays out {}, the driver {}: the driver is believed",
                         device::signature(info), device::signature(driver_says));
        info.parameters = std::move(parameters);
    }
}

void Kernel::State::read_limits() {
    limits = device::device_limits(driver, handle);
    limits.device = device;
    const auto ask = [&](CUfunction_attribute attribute) {
        return kernel_attribute(driver, attribute, kernel, handle);
    };
    limits.threads_per_block = ask(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    if (info.max_threads_per_block != 0)
        limits.threads_per_block = std::min(limits.threads_per_block, info.max_threads_per_block);
    limits.static_shared_bytes = ask(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    const auto most = limits.dynamic_shared_bytes;
    limits.dynamic_shared_bytes =
        most > limits.static_shared_bytes ? most - limits.static_shared_bytes : 0;
    shared_allowed = ask(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
}

void Kernel::State::allow_shared(std::uint32_t bytes) const {
    const std::lock_guard lock(shared_mutex_);
    if (bytes <= shared_allowed.load(std::memory_order_relaxed))
        return;
    driver.check(driver.kernel_set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                             static_cast<int>(bytes), kernel, handle),
                 "cuKernelSetAttribute(MAX_DYNAMIC_SHARED_SIZE_BYTES)");
    shared_allowed.store(bytes, std::memory_order_release);
}

} // namespace kiln
