// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/kernel_names.h"

#include <cstddef>
#include <string>
#include <string_view>

/// NVRTC's name expressions for nvcc, which has none. For each expression the unit gets a device
/// function template that has the kernel as its argument, and an instantiation of it: that
/// instantiates the kernel, and the function's mangled name in the PTX holds the kernel's. Nothing
/// calls these functions, so ptxas drops them: the cubin is the same, byte for byte, as without
/// (measured with CUDA 13.0; under -G, where ptxas keeps all, they stay in it).
namespace kiln::compile {

/// The lines for expression number `index`. Throws Error(usage) if it does not fit on a line.
std::string name_marker(std::size_t index, std::string_view expression);

/// The kernels' symbols by expression, from nvcc's PTX.
LoweredNames read_name_markers(std::string_view ptx, std::span<const std::string> kernels);

/// The PTX without the markers; as it is where debug information refers to them.
std::string without_name_markers(std::string_view ptx);

} // namespace kiln::compile
