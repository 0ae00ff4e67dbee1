// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/driver.h"

namespace kiln::device {

/// The driver's handle of a device; initialises the driver. Throws Error(device_missing) naming how
/// many there are, and what Driver::initialise throws.
CUdevice device_handle(const Driver& driver, int device);

/// A device's primary context: the one that the CUDA runtime uses too. Retained once a process at
/// its first use here, and never released, reset or replaced. The first use on a device costs what
/// making a context costs (measured: 117 to 127 ms on an H200). Thread-safe.
/// Throws as device_handle, and Error(driver_failed).
CUcontext primary_context(const Driver& driver, int device);
/// The same where somebody has made it already; otherwise null, and nothing is made.
CUcontext primary_context_if_active(const Driver& driver, int device);

/// Makes `context` current for this scope. Throws Error(driver_failed). Of the thread that made it.
class PushedContext {
  public:
    PushedContext(const Driver& driver, CUcontext context);
    ~PushedContext();
    PushedContext(const PushedContext&) = delete;
    PushedContext& operator=(const PushedContext&) = delete;

  private:
    const Driver& driver_;
};

/// Whether the current context, which must not be null, is of the device. Throws
/// Error(driver_failed).
bool current_is_of(const Driver& driver, CUdevice handle);

/// A context of the device for this scope: the current one if it is of that device, whoever made
/// it (the CUDA runtime, PyTorch); otherwise the primary one, and what was current is put back.
/// Throws as primary_context. Of the thread that made it.
class ContextScope {
  public:
    explicit ContextScope(int device);
    ContextScope(const Driver& driver, int device);
    ~ContextScope();
    ContextScope(const ContextScope&) = delete;
    ContextScope& operator=(const ContextScope&) = delete;

    CUcontext context() const noexcept { return context_; }

  private:
    const Driver& driver_;
    CUcontext context_ = nullptr;
    bool pushed_ = false;
};

} // namespace kiln::device
