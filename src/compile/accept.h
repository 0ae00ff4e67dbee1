// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/compiler.h"
#include "compile/kernel_names.h"

namespace kiln::compile {

/// Inspects what a compiler that reported success has left in `result` (cubin, or PTX for a
/// virtual target): whole, for the target that was asked for, with the expected kernels. Fills
/// Result::kernels. Throws Error(cubin_invalid) or Error(kernel_missing).
void accept(const Job& job, const LoweredNames& lowered, Result& result);

} // namespace kiln::compile
