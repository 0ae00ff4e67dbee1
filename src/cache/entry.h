// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest.h"

#include <kiln/cubin.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// The format of an entry, version 1. One file that begins with a plain cubin:
///
///   entry    = image metadata trailer
///   image    = the ELF image as the compiler wrote it (any CUDA tool opens the file)
///   metadata = CBOR map (RFC 8949): {"key": text, "target": text, "label": text, "backend": text,
///              "toolkit": text, "log": text, "ptx": text, "created_ns": int,
///              "kernels": [*kernel], "fields": [*[label, value]]}
///   kernel   = {"symbol": text, "expressions": [*text], "registers": uint, "shared": uint,
///               "local": uint, "threads": uint, "parameters": [*[offset, size]]}
///   trailer  = image_length:u64 metadata_length:u64 checksum_low:u64 checksum_high:u64
///              version:u32 magic:"KILNENT1"         ; little endian, 44 bytes, ends the file
///   checksum = XXH3-128 of image, metadata and the trailer's two lengths
///
/// Text is kept as the compiler gave it and may not be UTF-8.
namespace kiln::cache {

/// What an entry says of itself beside the image.
struct Metadata {
    std::string key; ///< 64 hexadecimal digits; a reader compares it with what it asked for
    Target target;
    std::string label;
    std::string backend;
    std::string toolkit;
    std::string log; ///< the compiler's warnings
    std::string ptx; ///< if it was wanted
    std::int64_t created_ns = 0;
    std::vector<KernelInfo> kernels;
    /// The request's fields, for people.
    std::vector<std::pair<std::string, std::string>> fields;
};

struct Entry {
    Metadata metadata;
    std::vector<std::byte> image;
};

std::vector<std::byte> encode_entry(const Metadata& metadata, std::span<const std::byte> image);

/// Reads and verifies: lengths, checksum, key, ELF bounds, target in the note, kernels present.
/// Throws Error(cubin_invalid) that says what is wrong. Never reads outside `file`.
Entry decode_entry(std::span<const std::byte> file, const std::string& expected_key,
                   const Target& expected_target);
/// The same without a copy of the image.
Entry decode_entry(std::vector<std::byte>&& file, const std::string& expected_key,
                   const Target& expected_target);
/// The metadata alone, for listings: checksum verified, no expectations.
Metadata decode_metadata(std::span<const std::byte> file);

} // namespace kiln::cache
