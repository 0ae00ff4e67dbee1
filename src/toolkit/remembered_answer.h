// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file_system.h"
#include "toolkit/capabilities.h"

#include <filesystem>
#include <optional>
#include <string>

/// Answers kept as `<directory>/<identity>.json`: asking takes seconds, and no toolkit changes
/// without its identity.
namespace kiln::toolkit {

/// Nothing where there is no answer, or one that is damaged or of another schema.
std::optional<Capabilities> recall(base::FileSystem& files, const std::filesystem::path& directory,
                                   const std::string& identity);

/// Publishes an answer as a whole file. An answer with trouble in it is not kept: the trouble may
/// go. Failures are for the debug log: the next process asks again.
void remember(base::FileSystem& files, const std::filesystem::path& directory,
              const std::string& identity, const Capabilities& answer);

} // namespace kiln::toolkit
