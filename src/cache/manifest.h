// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/inputs.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// The format of a manifest, version 1: which inputs a request was seen with.
///
///   manifest = payload checksum_low:u64 checksum_high:u64 version:u32 magic:"KILNMAN1"
///   payload  = CBOR: {"request": digest, "sets": [set...]}   ; newest first, at most 16
///   set      = {"files": [[root, relative, digest, device, inode, size, mtime, ctime,
///   settled]...],
///               "absent": [[root, relative]...], "key": digest}
namespace kiln::cache {

struct Manifest {
    base::Digest request;
    struct Seen {
        InputSet inputs;
        base::Digest key;
    };
    std::vector<Seen> sets; ///< newest first

    /// Puts a set in front; an older one with the same key goes; keeps 16.
    void remember(Seen seen);
};

std::vector<std::byte> encode_manifest(const Manifest& manifest);
/// Nothing for damage, another version, or another request's manifest.
std::optional<Manifest> decode_manifest(std::span<const std::byte> file,
                                        const base::Digest& request);

} // namespace kiln::cache
