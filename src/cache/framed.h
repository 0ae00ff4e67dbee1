// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// A CBOR item in a frame that finds damage, for every file of the cache but the image itself.
///
///   framed = payload checksum_low:u64 checksum_high:u64 version:u32 magic:8 ; little endian
///   checksum = XXH3-128 of payload
namespace kiln::cache {

std::vector<std::byte> frame(const nlohmann::json& payload, std::string_view magic,
                             std::uint32_t version);
/// Nothing for damage, another magic or version, or what `parse_cbor` refuses. Never throws but
/// for memory.
std::optional<nlohmann::json> unframe(std::span<const std::byte> file, std::string_view magic,
                                      std::uint32_t version);

/// A whole CBOR item of definite lengths, at most 8 deep, with nothing behind it. Nothing for any
/// other bytes. Memory stays in proportion to `bytes`. Never throws but for memory.
std::optional<nlohmann::json> parse_cbor(std::span<const std::byte> bytes);

void append_u32(std::vector<std::byte>& bytes, std::uint32_t value);
void append_u64(std::vector<std::byte>& bytes, std::uint64_t value);
/// Little endian; `offset` must lie within.
std::uint32_t read_u32(std::span<const std::byte> bytes, std::size_t offset) noexcept;
std::uint64_t read_u64(std::span<const std::byte> bytes, std::size_t offset) noexcept;

/// Bytes as CBOR keeps them, and back; an empty span where `value` is no byte string.
nlohmann::json binary(std::span<const std::byte> bytes);
std::span<const std::byte> bytes_of(const nlohmann::json& value) noexcept;

} // namespace kiln::cache
