// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/cubin.h>
#include <kiln/device.h>

#include <memory>
#include <string_view>

namespace kiln::device {

/// One cubin loaded with cuLibraryLoadData: it serves every device and context that can run it, and
/// reaches each at its first use there. Cheap to copy; thread-safe.
/// Unloaded when the last copy of it and of every Kernel from it go: not before the last launch has
/// finished, which is the caller's to see to.
class Library {
  public:
    /// The verified bytes in memory are loaded, never a file; the driver keeps a copy of its own.
    /// Throws Error(unsupported_target) naming the target and the device's capability before the
    /// driver sees an image that does not fit; Error(driver_failed) with both versions where the
    /// driver refuses; Error(device_missing), Error(driver_missing).
    static Library load(const Cubin& cubin, int device);
    /// By symbol or expression; an empty name finds the only kernel. Throws Error(kernel_missing)
    /// naming those that there are, and what `load` throws: the device need not be that of `load`.
    Kernel kernel(std::string_view name, int device) const;

    struct State;

  private:
    explicit Library(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

} // namespace kiln::device
