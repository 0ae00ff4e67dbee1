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

/// The sentence for a target that the device cannot run.
std::string misfit_message(const Target& target, int device, const std::string& device_name,
                           ComputeCapability capability);

} // namespace kiln::device
