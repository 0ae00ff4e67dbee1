// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest.h"

#include <kiln/arch.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace kiln::cache {

/// The schema of keys; part of every key. Raised when the meaning of a field changes.
inline constexpr int key_schema = 1;

/// A directory that stands under a name in keys, so that they hold no absolute path.
struct NamedRoot {
    std::string name;
    std::filesystem::path path; ///< absolute
};

/// All that is known before the header graph: what a lookup starts from. A value.
struct Request {
    /// Labelled fields in a fixed order: source base name, backend, compiler identity, options,
    /// names of the roots in order, kernels, environment... Never an absolute path, a time or a
    /// user.
    std::vector<std::pair<std::string, std::string>> fields;
    Target target;
    /// `source` (the source's directory) first, then the search path's in order.
    std::vector<NamedRoot> roots;
    std::filesystem::path source;
    std::string label; ///< for messages and listings: `rms_norm{dtype=float}`

    /// Schema, target and fields.
    base::Digest digest() const;
};

} // namespace kiln::cache
