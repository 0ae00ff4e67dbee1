// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace kiln::compile {

/// Runs `work` to its end on a thread with a 64 MiB stack and with every signal blocked that a
/// host may handle: NVRTC's front end recurses (20,000 nested parentheses end a thread of 8 MiB,
/// measured with CUDA 13.0). What `work` throws is thrown here. Throws Error(io) where no such
/// thread can be had.
void run_on_compile_thread(const std::function<void()>& work);

} // namespace kiln::compile
