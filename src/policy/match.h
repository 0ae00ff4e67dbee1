// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml.h"
#include "catalog/catalog.h"
#include "catalog/ranges.h"
#include "catalog/target_forms.h"
#include "toolkit/version.h"

#include <kiln/arch.h>
#include <kiln/plan.h>

#include <optional>
#include <string>
#include <vector>

namespace kiln::policy {

/// What a rule is held against. The target is known late: only rules that name it wait for it.
struct Facts {
    const catalog::Module& module;
    ComputeCapability capability;
    const toolkit::Version& toolkit;
    std::optional<Backend> backend;
    std::optional<Target> target;
};

/// What the answer of a condition hangs on.
enum class Stage { request, backend, target };

/// The conditions of a rule's `match:` or `unless:`; all that are given must hold. Parsed once.
struct Match {
    std::vector<std::string> modules; ///< globs
    std::vector<std::string> tags;
    std::optional<catalog::CapabilityRanges> capability;
    std::vector<ComputeCapability> families;
    std::vector<int> majors;
    std::optional<catalog::VersionRanges> toolkit;
    std::vector<Backend> backends;
    std::vector<catalog::TargetForm> targets;

    /// Throws Error(policy) with the location.
    static Match parse(const base::YamlNode& node);
    /// A condition on what is not known yet does not hold.
    bool holds(const Facts& facts) const;
    Stage stage() const noexcept;
};

/// `nvrtc`, `nvcc`, or a list. Throws Error(policy) with the location.
std::vector<Backend> parse_backends(const base::YamlNode& node);
/// `f`, `a`, `plain`, `sm_120a`, or a list.
std::vector<catalog::TargetForm> parse_targets(const base::YamlNode& node);

} // namespace kiln::policy
