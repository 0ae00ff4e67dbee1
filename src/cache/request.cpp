// SPDX-License-Identifier: Apache-2.0
#include "cache/request.h"

#include "source/search_path.h"

namespace kiln::cache {

base::Digest Request::digest() const {
    base::Hasher hasher;
    hasher.field("schema", std::uint64_t{key_schema});
    hasher.field("target", target.str());
    hasher.field("fields", fields.size());
    for (const auto& [label, value] : fields)
        hasher.field(label, value);
    for (const NamedRoot& root : roots) {
        hasher.field("root", root.name);
        for (const NamedRoot& other : roots) {
            if (&other == &root)
                continue;
            if (const auto below = source::path_below(other.path.native(), root.path.native())) {
                hasher.field("within", other.name);
                hasher.field("at", *below);
            } else if (&other < &root && other.path == root.path) {
                hasher.field("same as", other.name);
            }
        }
    }
    return hasher.finish();
}

} // namespace kiln::cache
