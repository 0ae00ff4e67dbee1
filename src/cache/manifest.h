// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/inputs.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// The format of a manifest, version 1: which inputs a request was seen with. A framed CBOR item
/// (framed.h) with magic "KILNMAN1":
///
///   payload  = {"request": digest, "sets": [*set]}           ; newest first, at most 16
///   set      = {"key": digest, "roots": [*text], "names": bytes, "digests": bytes,
///               "stamps": bytes, "absent": bytes}
///   names    = *(root:u16 relative NUL)                      ; a file each; root: index in "roots"
///   digests  = *digest                                       ; in the same order
///   stamps   = *(device:u64 inode:u64 size:u64 mtime:i64 ctime:i64 settled:u8)
///   absent   = *(root:u16 missing NUL *(name NUL) NUL)       ; see AbsentNames
///   digest   = 32 bytes; numbers are little endian
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
