// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/match.h"
#include "policy/options.h"
#include "policy/policy.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::policy {

/// Where PTX stands beside or for a cubin.
enum class PtxUse {
    never,
    fallback, ///< where no cubin that the toolkit can make runs on the device
    always    ///< beside each cubin, and as the fallback
};
std::string_view to_string(PtxUse use) noexcept;

/// One define or option, with what the table says of it for each backend.
struct Option {
    std::string written; ///< `-DN=1`, `-lineinfo`
    std::string origin;  ///< file:line
    Translation nvrtc;
    Translation nvcc;
    OptionSubject subject;

    Option(std::string text, std::string place);
    const Translation& for_backend(Backend backend) const noexcept {
        return backend == Backend::nvrtc ? nvrtc : nvcc;
    }
    /// Why no backend takes it, or nothing.
    const std::string* refusal() const noexcept;
};

/// What a rule sets. What is absent is left alone.
struct Settings {
    enum class Key { targets, backends, ptx, time_limit, language, defines, options };
    /// One key as it was written, for notes: `set targets: [f, a]`.
    struct Effect {
        Key key;
        std::string text;
    };

    std::optional<std::vector<catalog::TargetForm>> targets;
    std::optional<std::vector<Backend>> backends;
    std::optional<PtxUse> ptx;
    std::optional<std::chrono::milliseconds> time_limit;
    std::vector<Option> options; ///< the language (as `-std=`), defines, options
    std::vector<Effect> effects;

    /// Throws Error(policy) with the location.
    static Settings parse(const base::YamlNode& node);
};

/// A duration such as `300s`, `10min`, `500ms`, `1h`; nothing for any other text and for zero.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) noexcept;

/// One rule, ready to be held against Facts. Immutable after loading.
struct Rule {
    Layer layer = Layer::user;
    std::string name;
    std::string origin; ///< file:line
    Match match;
    std::optional<Match> unless;
    Settings set;
    std::string deny;               ///< the reason, or empty
    std::vector<std::string> allow; ///< globs over names of denies
    std::string allow_reason;
    Stage stage = Stage::request; ///< what its answer hangs on
    std::string match_text;       ///< as written, in one line

    /// Throws Error(policy) with the location.
    static Rule parse(const base::YamlNode& node, Layer layer);
    /// False while something that the answer hangs on is not known yet.
    bool holds(const Facts& facts) const;
    bool allows(std::string_view deny_name) const noexcept;
};

/// The last of `rules`, which stand weakest first, that has a setting; or null.
template <typename T>
const Rule* last_with(const std::vector<const Rule*>& rules,
                      std::optional<T> Settings::*setting) noexcept {
    for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
        if (((*rule)->set.*setting).has_value()) {
            return *rule;
        }
    }
    return nullptr;
}

/// The origin of what a rule decided, or of what holds without one.
inline std::string origin_of(const Rule* rule) {
    return rule == nullptr ? "built-in" : rule->origin;
}

} // namespace kiln::policy
