// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/toolchain.h"

#include <kiln/arch.h>

#include <string>

namespace kiln::service {

/// For the reason of an arch that the chosen toolkit lacks: which toolkit that is and how it was
/// found, and those found after it that have the arch by what is known of their versions:
/// "the toolkit in use is CUDA 11.5 in /opt/old (PATH); CUDA 13.0.88 in /usr/local/cuda has it
/// (--toolkit /usr/local/cuda)". Starts nothing.
std::string where_else(const Toolchain& toolchain, const ArchRequest& arch);

} // namespace kiln::service
