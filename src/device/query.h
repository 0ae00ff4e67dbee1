// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/driver.h"
#include "device/launch_check.h"

#include <kiln/device.h>

#include <string>

namespace kiln::device {

/// Asked of the driver each time; each throws Error(driver_failed).
ComputeCapability device_capability(const Driver& driver, CUdevice handle);
/// The capability of a device by index, for whoever needs it at each request: asked once a process.
/// Initialises the driver; throws what Driver::get and device_handle throw. Thread-safe.
ComputeCapability capability_of(int device);
std::string device_name(const Driver& driver, CUdevice handle);
/// What bounds every launch on the device. dynamic_shared_bytes is that of a kernel without static
/// shared memory; `device` is left 0.
LaunchLimits device_limits(const Driver& driver, CUdevice handle);
DeviceInfo device_info(const Driver& driver, int index);

/// `GPU-6f1b...` (or `MIG-`) as nvidia-smi writes a UUID.
std::string uuid_text(const CUuuid& uuid, bool mig);

} // namespace kiln::device
