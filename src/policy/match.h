// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml.h"
#include "catalog/ranges.h"
#include "catalog/target_forms.h"
#include "policy/comparison.h"
#include "policy/facts.h"
#include "policy/names.h"

#include <kiln/arch.h>
#include <kiln/plan.h>

#include <optional>
#include <string>
#include <vector>

namespace kiln::policy {

/// What the answer of a condition hangs on.
enum class Stage { request, backend, target };

/// Conditions on one arch; all that are given must hold.
struct ArchMatch {
    std::optional<catalog::CapabilityRanges> capability;
    std::vector<ComputeCapability> families;
    std::vector<int> majors;
    /// `12.0a` and `sm_120` are written out, `12.0` and a device are not.
    std::optional<bool> written_out;

    /// Reads the keys `capability`, `family`, `major` and `written_out` of a map that may have
    /// others. Throws Error(policy) with the location.
    static ArchMatch parse(const base::YamlNode& node);
    bool holds(const ArchRequest& arch) const;
};

/// Conditions on the device that is present, of the arch's capability; none present: not met.
struct DeviceMatch {
    std::optional<Names> names;
    std::optional<Comparison> memory;
    std::optional<Comparison> shared_memory_per_block;
    std::optional<bool> integrated;

    static DeviceMatch parse(const base::YamlNode& node);
    bool holds(const DeviceFacts& device) const;
};

/// A variable, of the environment or of the configuration: equal to a text, or, without one, set.
struct VariableCondition {
    std::string name;
    std::optional<Comparison> comparison;
};

/// A header of the module's search path that is there and holds a text.
struct HeaderCondition {
    std::string header;
    std::string text;
};

/// The conditions of a rule's `match:` or `unless:`; all that are given must hold. Parsed once.
struct Match {
    Names modules;
    std::vector<std::string> tags;
    ArchMatch arch;
    std::optional<ArchMatch> any_arch; ///< some arch of the request's list
    std::vector<ParameterCondition> parameters;
    std::optional<catalog::VersionRanges> toolkit;
    std::optional<catalog::VersionRanges> driver;
    std::optional<DeviceMatch> device;
    std::vector<VariableCondition> environment;
    std::vector<VariableCondition> variables;
    std::vector<HeaderCondition> headers;
    std::vector<Backend> backends;
    std::vector<catalog::TargetForm> targets;

    /// Throws Error(policy) with the location.
    static Match parse(const base::YamlNode& node);
    /// A condition on what is not known, or not present, does not hold.
    bool holds(const Facts& facts) const;
    Stage stage() const noexcept;
};

/// `nvrtc`, `nvcc`, or a list. Throws Error(policy) with the location.
std::vector<Backend> parse_backends(const base::YamlNode& node);
/// `f`, `a`, `plain`, `sm_120a`, or a list.
std::vector<catalog::TargetForm> parse_targets(const base::YamlNode& node);

} // namespace kiln::policy
