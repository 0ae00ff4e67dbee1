// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/target_forms.h"
#include "policy/option.h"

#include <kiln/arch.h>
#include <kiln/plan.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln::policy {

/// Where PTX stands beside or for a cubin.
enum class PtxUse {
    never,
    fallback, ///< where no cubin that the toolkit can make runs on the device
    always    ///< beside each cubin, and as the fallback
};
std::string_view to_string(PtxUse use) noexcept;

/// Where a target comes from. A single value: the last that is set counts, whichever its kind.
struct TargetSelection {
    enum class Kind {
        prefer, ///< the first of these forms that the toolkit has for the capability
        fixed,  ///< exactly these, whatever the capability
        only    ///< exactly these, denied where none of them runs on the capability
    };
    Kind kind = Kind::prefer;
    std::vector<catalog::TargetForm> forms; ///< fixed and only: in full
};

/// Named sets of options, in the order in which a document declares them.
using OptionSets = std::map<std::string, std::vector<Option>, std::less<>>;

/// What a rule sets. What is absent is left alone.
struct Settings {
    enum class Key {
        targets,
        missing_targets,
        remap,
        backends,
        ptx,
        time_limit,
        memory_limit,
        language,
        options, ///< language apart, all that adds up
        remove
    };
    /// One key as it was written, for notes: `set targets: [f, a]`.
    struct Effect {
        Key key;
        std::string text;
    };

    std::optional<TargetSelection> targets;
    std::optional<bool> keep_missing; ///< a target that the toolkit lacks is kept
    std::vector<std::pair<Target, Target>> remap;
    std::optional<std::vector<Backend>> backends;
    std::optional<PtxUse> ptx;
    std::optional<std::chrono::milliseconds> time_limit;
    std::optional<std::uint64_t> memory_limit; ///< bytes
    std::vector<Option> options; ///< language (as `-std=`), sets, defines, undefines, options, ...
    std::vector<std::string> remove; ///< of weaker rules: options as written, or by name
    std::vector<Effect> effects;

    /// Throws Error(policy) with the location.
    static Settings parse(const base::YamlNode& node, const OptionSets& sets);
};

/// Reads `sets:`; one may `use` those above it. Throws Error(policy) with the location.
OptionSets parse_option_sets(const base::YamlNode& node);

/// A duration such as `300s`, `10min`, `500ms`, `1h`; nothing for any other text and for zero.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) noexcept;
/// A size such as `512MiB`, `8GiB`; nothing for any other text and for zero.
std::optional<std::uint64_t> parse_size(std::string_view text) noexcept;

} // namespace kiln::policy
