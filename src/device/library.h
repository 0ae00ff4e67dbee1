// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/cubin.h>
#include <kiln/device.h>

#include <memory>
#include <string_view>

namespace kiln::device {

/// One cubin loaded with cuLibraryLoadData: it serves every device and context that can run it.
/// Thread-safe. Unloaded when the last Kernel and the last Library object go.
class Library {
  public:
    /// The verified bytes in memory are loaded, never a file. Throws Error(unsupported_target)
    /// naming the target and the device's capability before the driver sees an image that does not
    /// fit; Error(driver_failed) with both versions where the driver refuses.
    static Library load(const Cubin& cubin, int device);
    /// By symbol or expression; an empty name finds the only kernel. Error(kernel_missing) naming
    /// those that there are.
    Kernel kernel(std::string_view name, int device) const;

    struct State;

  private:
    explicit Library(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

/// Makes the device's primary context current for this scope, if no context of that device is
/// current; puts back what was. Primary contexts are retained once a process and never reset.
class ContextScope {
  public:
    explicit ContextScope(int device);
    ~ContextScope();
    ContextScope(const ContextScope&) = delete;
    ContextScope& operator=(const ContextScope&) = delete;

  private:
    bool pushed_ = false;
};

} // namespace kiln::device
