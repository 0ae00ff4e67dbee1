// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kiln::base {

/// A SHA-256 digest. A value type.
struct Digest {
    std::array<std::byte, 32> bytes{};

    std::string hex() const; ///< 64 lower-case digits
    static std::optional<Digest> from_hex(std::string_view hex) noexcept;
    auto operator<=>(const Digest&) const = default;
};

/// SHA-256 over labelled, length-prefixed fields, so that no two different sequences of fields
/// give the same bytes. A copy goes on from the same state. One thread at a time.
class Hasher {
  public:
    Hasher();

    /// Raw bytes, no label.
    Hasher& update(std::span<const std::byte> bytes);
    Hasher& update(std::string_view bytes);
    /// u32 length of label, label, u64 length of value, value; all little endian.
    Hasher& field(std::string_view label, std::string_view value);
    Hasher& field(std::string_view label, std::uint64_t value);
    /// The digest; the hasher begins anew.
    Digest finish();

  private:
    alignas(8) std::array<std::byte, 128> state_; // nettle's sha256_ctx, which is a plain struct
};

Digest sha256(std::span<const std::byte> bytes);
Digest sha256(std::string_view bytes);

/// XXH3-128: finds damage, proves nothing (never a key).
struct Checksum {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool operator==(const Checksum&) const = default;
};
Checksum checksum(std::span<const std::byte> bytes) noexcept;

} // namespace kiln::base
