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
    std::filesystem::path path; ///< absolute, normalised
    bool operator==(const NamedRoot&) const = default;
};

/// All that is known before the header graph: what a lookup starts from. A value.
struct Request {
    /// Labelled fields in a fixed order: source base name, backend, compiler identity, options,
    /// kernels, environment... Never an absolute path, a time or a user. A value of several parts
    /// has one a line: a miss then names the part that differed.
    std::vector<std::pair<std::string, std::string>> fields;
    Target target;
    /// `source` (the source's directory) first, then the search path's in order, each name once.
    std::vector<NamedRoot> roots;
    std::filesystem::path source;
    std::string label; ///< for messages and listings: `rms_norm{dtype=float}`

    /// Schema, target, fields, names of the roots in order, and which root lies within which
    /// other: with that, a name in a manifest means the same file wherever the roots are.
    base::Digest digest() const;
};

} // namespace kiln::cache
