// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::catalog {

/// Text after replacement.
struct Expansion {
    std::string text;    ///< what was unknown is left as it was written
    std::string unknown; ///< the first unknown name, or empty
};

/// What stands for a name: `name`, or `env:NAME`. Nothing: unknown.
using Lookup = std::function<std::optional<std::string>(std::string_view name)>;

/// Replaces each `${name}` and `${name:-default}`; the default counts where the name is unknown,
/// and may itself hold `${...}`. A `$` without a brace is text. What a lookup returns is not looked
/// at again. Throws Error(usage) for a `${` without its `}` and for an empty name.
Expansion expand(std::string_view text, const Lookup& lookup);

} // namespace kiln::catalog
