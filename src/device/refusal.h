// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/arch.h>

#include <string>
#include <string_view>

namespace kiln::device {

/// What to do about a driver that refuses an image of ours. `driver_version`: as cuDriverGetVersion
/// has it, 12040 for 12.4; `toolkit`: what made the cubin, `13.0.88`, or empty. Cubins need a
/// driver of their toolkit's major or later (CUDA Compatibility guide: within a major the minor may
/// differ, with limits). Pure.
std::string refusal_hint(int driver_version, std::string_view toolkit);

/// What to expect of cubins by a toolkit (`13.0.88`) under a driver that serves a CUDA version
/// (`12.2`), where that is a later major than the driver's; empty where it is not, and for texts
/// that are no versions. Pure.
std::string driver_warning(std::string_view driver, std::string_view toolkit);

/// The sentence for a target that the device cannot run.
std::string misfit_message(const Target& target, int device, const std::string& device_name,
                           ComputeCapability capability);

} // namespace kiln::device
