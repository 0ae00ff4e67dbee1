// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"

#include <kiln/error.h>

#include <filesystem>

namespace kiln::base {

/// The directory of the library or program that holds this code (dladdr, links resolved): where
/// what ships with it is looked for. Never depends on the working directory or argv[0].
std::filesystem::path image_directory();
/// A file that ships with Kiln, `kernels/catalog.yaml` say: `<image>/share/kiln`,
/// `<image>/../share/kiln`, `<image>/../../share/kiln` in this order; empty if there is none.
std::filesystem::path shipped_file(const std::filesystem::path& relative);
/// The worker program: `$KILN_WORKER`, `<image>/kiln-worker`,
/// `<image>/../libexec/kiln/kiln-worker`,
/// `<image>/../../libexec/kiln/kiln-worker`; empty if there is none.
std::filesystem::path worker_program(const Environment& environment);

/// `path` from the root; `.` and `..` in it stay. Throws Error(`code`) where it is relative and the
/// working directory was removed, or where it is empty.
std::filesystem::path absolute_path(const std::filesystem::path& path, ErrorCode code);

/// `$XDG_CACHE_HOME/kiln` or `$HOME/.cache/kiln`; empty where neither is set.
std::filesystem::path user_cache_directory(const Environment& environment);
/// `$XDG_CONFIG_HOME/kiln` or `$HOME/.config/kiln`; empty where neither is set.
std::filesystem::path user_config_directory(const Environment& environment);

} // namespace kiln::base
