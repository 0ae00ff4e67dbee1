// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/compiler.h"

#include <filesystem>
#include <functional>
#include <string>

namespace kiln::compile {

/// The text of a source, without a UTF-8 byte order mark (nvcc takes one, NVRTC does not).
/// Throws Error(source_missing) where it cannot be read, Error(usage) where it holds a zero byte,
/// at which NVRTC would silently stop.
std::string source_text(const std::filesystem::path& source);

/// Runs one compile: whatever it throws ends in Result::error, with the job's module and target,
/// and an image that was not accepted is dropped.
void guarded(const Job& job, Result& result, const std::function<void()>& work);

} // namespace kiln::compile
