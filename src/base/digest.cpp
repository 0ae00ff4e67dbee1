// SPDX-License-Identifier: Apache-2.0
// Inlined: one shared library fewer to map at process start.
#define XXH_INLINE_ALL
#include "base/digest.h"

#include <nettle/sha2.h>
#include <xxhash.h>

#include <new>

namespace kiln::base {

namespace {

sha256_ctx* state(std::byte* storage) noexcept {
    return std::launder(reinterpret_cast<sha256_ctx*>(storage));
}

template <std::size_t N>
std::array<char, N> little_endian(std::uint64_t value) noexcept {
    std::array<char, N> bytes{};
    for (std::size_t i = 0; i < N; ++i)
        bytes[i] = static_cast<char>(value >> (8 * i));
    return bytes;
}

int digit(char c) noexcept {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

} // namespace

std::string Digest::hex() const {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const std::byte byte : bytes) {
        const auto value = std::to_integer<unsigned>(byte);
        text += digits[value >> 4];
        text += digits[value & 15];
    }
    return text;
}

std::optional<Digest> Digest::from_hex(std::string_view hex) noexcept {
    Digest digest;
    if (hex.size() != 2 * digest.bytes.size())
        return std::nullopt;
    for (std::size_t i = 0; i < digest.bytes.size(); ++i) {
        const int high = digit(hex[2 * i]);
        const int low = digit(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return std::nullopt;
        digest.bytes[i] = static_cast<std::byte>(high << 4 | low);
    }
    return digest;
}

Hasher::Hasher() {
    static_assert(sizeof(sha256_ctx) <= sizeof state_ && alignof(sha256_ctx) <= 8);
    sha256_init(new (state_.data()) sha256_ctx);
}

Hasher& Hasher::update(std::span<const std::byte> bytes) {
    sha256_update(state(state_.data()), bytes.size(),
                  reinterpret_cast<const std::uint8_t*>(bytes.data()));
    return *this;
}

Hasher& Hasher::update(std::string_view bytes) {
    return update(std::as_bytes(std::span(bytes)));
}

Hasher& Hasher::field(std::string_view label, std::string_view value) {
    const auto label_length = little_endian<4>(label.size());
    const auto value_length = little_endian<8>(value.size());
    update(std::string_view(label_length.data(), label_length.size()));
    update(label);
    update(std::string_view(value_length.data(), value_length.size()));
    return update(value);
}

Hasher& Hasher::field(std::string_view label, std::uint64_t value) {
    const auto bytes = little_endian<8>(value);
    return field(label, std::string_view(bytes.data(), bytes.size()));
}

Digest Hasher::finish() {
    Digest digest;
    sha256_digest(state(state_.data()), digest.bytes.size(),
                  reinterpret_cast<std::uint8_t*>(digest.bytes.data()));
    return digest;
}

Digest sha256(std::span<const std::byte> bytes) {
    return Hasher().update(bytes).finish();
}

Digest sha256(std::string_view bytes) {
    return Hasher().update(bytes).finish();
}

Checksum checksum(std::span<const std::byte> bytes) noexcept {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.low64, hash.high64};
}

} // namespace kiln::base
