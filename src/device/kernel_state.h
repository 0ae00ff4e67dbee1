// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/driver.h"
#include "device/launch_check.h"

#include <kiln/device.h>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace kiln {

/// A kernel on one device. Owned by its library, which every Kernel keeps alive.
struct Kernel::State {
    /// Of a kernel that is loaded in a context of the device. Throws Error(driver_failed).
    State(const device::Driver& driver, CUkernel kernel, int device, KernelInfo info);

    const device::Driver& driver;
    const CUkernel kernel;
    const int device; ///< index
    const CUdevice handle;
    KernelInfo info;
    device::LaunchLimits limits;

    /// Asks the driver to allow this much dynamic shared memory, if nobody has yet; what is
    /// allowed only grows. Throws Error(driver_failed).
    void allow_shared(std::uint32_t bytes) const;
    /// The most that has been allowed, in bytes: by the driver at first, then by allow_shared.
    mutable std::atomic<std::uint32_t> shared_allowed{0};

    /// The device's primary context once it is known, else null.
    mutable std::atomic<CUcontext> primary{nullptr};

  private:
    void read_parameters();
    void read_limits();
    mutable std::mutex shared_mutex_;
};

} // namespace kiln
