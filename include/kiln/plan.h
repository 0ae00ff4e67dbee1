// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/arch.h>
#include <kiln/export.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

enum class Verdict { allow, deny, unsupported };
enum class Backend { nvrtc, nvcc };

KILN_API std::string_view to_string(Verdict verdict) noexcept;
KILN_API std::string_view to_string(Backend backend) noexcept;

/// One option of a compile, in the backend's own spelling, and the line that set it.
struct KILN_API Flag {
    std::string value;  ///< `-DN=4`, `--use_fast_math`
    std::string origin; ///< `configs/policy.yaml:12`
};

/// Something that the policy wants said with a plan that it allows, and the line that says it.
struct KILN_API Warning {
    std::string text;
    std::string origin; ///< file:line
};

/// What became of one thing that a matching rule says.
struct KILN_API RuleNote {
    std::string name;   ///< of the rule (`module NAME`: of the catalog), or empty
    std::string origin; ///< file:line
    std::string effect; ///< `deny: REASON`, `set targets: [f, a]`, `option -G`, `backend nvrtc`
    bool applied = false;
    std::string reason; ///< why it lost, where it did
};

/// What the policy makes of one instance, capability and toolkit. A value, complete in itself.
struct KILN_API Plan {
    std::string module;
    std::string instance; ///< `rms_norm{dtype=float,vec=4}`
    ComputeCapability capability;
    std::optional<Target> target; ///< absent where nothing fits
    /// All that the policy compiles the instance for: `target`, and for a `fixed` list the others
    /// too, whatever the capability. Sorted; empty where nothing fits.
    std::vector<Target> targets;
    std::string target_reason; ///< why this target and this suffix, or why none; always set
    std::string target_origin; ///< file:line, or `request` for an arch that was written out
    Verdict verdict = Verdict::allow;
    std::string reason; ///< for a deny or unsupported: the first cause; always set
    std::string origin; ///< file:line of the rule that decided the verdict, or `built-in`
    Backend backend = Backend::nvrtc;
    std::string backend_origin;
    std::string toolkit; ///< version
    /// No such toolkit is installed: the plan was made from what is known of its version.
    bool toolkit_on_paper = false;
    /// The target runs on the device asked about, or on `capability` where none was; false without
    /// a target.
    bool runs_on_device = true;
    /// Why a plan that is allowed cannot be compiled all the same (the policy keeps a target that
    /// the toolkit lacks, an option needs a link step), or empty.
    std::string obstacle;
    std::vector<Warning> warnings;
    std::vector<Flag> flags;            ///< in the order in which the compiler gets them
    std::vector<std::string> requires_; ///< demands on proof: `evidence: correct`
    std::vector<RuleNote> rules;
};

} // namespace kiln
