// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest_cache.h"
#include "base/environment.h"
#include "base/file_system.h"
#include "policy/policy.h"
#include "service/settings.h"
#include "toolkit/discovery.h"
#include "toolkit/toolkit.h"

#include <kiln/plan.h>

#include <filesystem>
#include <optional>
#include <string>

namespace kiln::service {

/// The chosen toolkit with what is known of it. Immutable; safe to read from many threads.
struct Toolchain {
    toolkit::Discovery discovery;
    toolkit::Toolkit toolkit;
    policy::ToolkitFacts facts;
    std::filesystem::path host_compiler; ///< empty: none found
    std::string nvrtc_identity;          ///< empty: no NVRTC, `facts` say why
    std::string nvcc_identity;           ///< empty: no NVCC, `facts` say why

    const std::string& identity(Backend backend) const noexcept {
        return backend == Backend::nvrtc ? nvrtc_identity : nvcc_identity;
    }
};

/// Finds the toolkit, reads its identities, asks what it can do (remembered under `memory`; empty:
/// nowhere). Throws Error(toolkit_missing).
Toolchain find_toolchain(const Settings& settings, const base::Environment& environment,
                         const std::filesystem::path& worker, const std::filesystem::path& memory,
                         base::FileSystem& files, base::DigestCache& digests);

/// What is known of the wanted version without a toolkit of it, or of the newest release where none
/// is wanted; a version that no release has is said in the log. Nothing for a wanted path and for a
/// version of which nothing is known. The same settings find an installed toolkit first.
std::optional<policy::ToolkitFacts> facts_on_paper(const Settings& settings);

/// The whole environment that compilers are given: built, not inherited, so that nothing of the
/// caller's changes a cubin unseen.
base::Environment compiler_environment(const Toolchain& toolchain,
                                       const base::Environment& environment);
/// Variables of the caller that would have changed a compile and are not passed.
std::vector<std::string> dropped_variables(const base::Environment& environment);

} // namespace kiln::service
