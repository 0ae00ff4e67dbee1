// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/cubin.h>
#include <kiln/device.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

/// What is wrong with a launch is said before the driver sees it. Pure functions; those that pass
/// allocate nothing and take a few nanoseconds.
namespace kiln::device {

/// What bounds the launches of one kernel on one device.
struct LaunchLimits {
    int device = 0; ///< index
    ComputeCapability capability;
    std::uint32_t threads_per_block = 1024; ///< of this kernel: registers and launch bounds counted
    Dim3 block{1024, 1024, 64};
    Dim3 grid{2147483647, 65535, 65535};
    std::uint32_t static_shared_bytes = 0;  ///< of the kernel, a block
    std::uint32_t dynamic_shared_bytes = 0; ///< the most that can be opted into, a block
    bool cooperative = false;               ///< the device can launch so
    bool clusters = false;
};

/// `vector_add(8, 8, 8, 4 bytes)`: the expression that the kernel was asked for by, or its symbol,
/// and the sizes of its parameters.
std::string signature(const KernelInfo& kernel);

/// Throws Error(usage) with the signature unless number and sizes are those of the parameters and
/// no pointer is null.
void check_arguments(const KernelInfo& kernel, std::span<void* const> arguments,
                     std::span<const std::size_t> sizes);

/// Throws Error(usage) naming the bound, the kernel and the device unless the limits allow it.
void check_config(const KernelInfo& kernel, const LaunchLimits& limits, const LaunchConfig& config);

} // namespace kiln::device
