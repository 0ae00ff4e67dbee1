// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/catalog.h"
#include "toolkit/version.h"

#include <kiln/arch.h>
#include <kiln/plan.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::policy {

/// What a policy may ask of a device that is present.
struct DeviceFacts {
    std::string name;
    std::uint64_t memory = 0;                  ///< bytes
    std::uint64_t shared_memory_per_block = 0; ///< bytes, the most that a kernel can opt in to
    bool integrated = false;                   ///< it shares its memory with the host
    toolkit::Version driver;                   ///< the CUDA version that the driver serves
};

/// What decisions may hang on beside module, arch and toolkit. Each is asked only where a rule
/// names it, so that a policy without device conditions never touches a driver. Empty functions
/// answer nothing. Called on the resolving thread; what they throw leaves `resolve`.
struct Surroundings {
    /// A variable of the caller or of a configuration.
    std::function<std::optional<std::string>(std::string_view name)> variable{};
    /// An environment variable.
    std::function<std::optional<std::string>(std::string_view name)> environment{};
    /// A present device of that capability.
    std::function<std::optional<DeviceFacts>(ComputeCapability)> device{};
    /// The text of a header as the module's search path finds it.
    std::function<std::optional<std::string>(const catalog::Instance&, std::string_view header)>
        header{};
    /// Names of experimental rules that the caller opted in to; globs.
    std::vector<std::string> experiments{};
};

/// The variables of the policy files, by name.
using Variables = std::map<std::string, std::string, std::less<>>;

/// What a rule is held against. The target is known late: only rules that name it wait for it.
struct Facts {
    const catalog::Instance& instance;
    const ArchRequest& arch;
    std::span<const ArchRequest> archs; ///< the whole list that `arch` is one of
    const toolkit::Version& toolkit;
    const Surroundings& surroundings;
    const Variables& variables;
    std::optional<Backend> backend;
    std::optional<Target> target;

    const catalog::Module& module() const noexcept { return *instance.module; }
    ComputeCapability capability() const noexcept { return arch.target.capability; }
    /// The value of a parameter of the instance, or null.
    const std::string* parameter(std::string_view name) const noexcept;
    /// The caller's variable, else that of the policy files.
    std::optional<std::string> variable(std::string_view name) const;
};

} // namespace kiln::policy
