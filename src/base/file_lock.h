// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file_system.h"

namespace kiln::base {

/// The lock of the real file system (see FileSystem::lock).
std::unique_ptr<FileSystem::Lock> lock_file(const char* path, int timeout_ms,
                                            std::error_code& error);

} // namespace kiln::base
