// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/arch.h>

#include <string>

namespace kiln::toolkit {

/// Which toolkits have a target, in words for a message: "sm_120f is in CUDA 12.9 and newer",
/// "sm_70 was removed in CUDA 13.0, the last toolkit with it is 12.9", "sm_101 is called sm_110
/// since CUDA 13.0"; empty when nothing is known. Data: `configs/targets.yaml`.
std::string toolkits_with(const Target& target);

} // namespace kiln::toolkit
