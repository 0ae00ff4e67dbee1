// SPDX-License-Identifier: Apache-2.0
#include "cache/framed.h"

#include <array>

namespace kiln::cache {

namespace {

constexpr std::size_t magic_bytes = 8;
constexpr std::size_t trailer_bytes = 8 + 8 + 4 + magic_bytes;
constexpr std::size_t deepest = 8;

template <typename Unsigned>
void append(std::vector<std::byte>& bytes, Unsigned value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
        bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

template <typename Unsigned>
Unsigned read(std::span<const std::byte> bytes, std::size_t offset) noexcept {
    Unsigned value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i)
        value |= static_cast<Unsigned>(static_cast<Unsigned>(bytes[offset + i]) << (8 * i));
    return value;
}

/// Walks over CBOR without building anything. The library's reader recurses on what it is given,
/// so depth has to be known before it runs.
class Shape {
  public:
    explicit Shape(std::span<const std::byte> bytes) : bytes_(bytes) {}

    bool is_sound() {
        std::array<std::uint64_t, deepest> open{}; // items still to come, for each level
        std::size_t depth = 0;
        do {
            std::uint64_t items = 0;
            if (!take_head(items))
                return false;
            if (items > 0) {
                if (depth == deepest)
                    return false;
                open[depth++] = items;
                continue;
            }
            while (depth > 0 && --open[depth - 1] == 0)
                --depth;
        } while (depth > 0);
        return bytes_.empty();
    }

  private:
    /// One item's head, and its bytes if it is a string; `items` is what it says will follow.
    bool take_head(std::uint64_t& items) {
        if (bytes_.empty())
            return false;
        const auto head = std::to_integer<unsigned>(bytes_.front());
        bytes_ = bytes_.subspan(1);
        const unsigned major = head >> 5;
        const unsigned info = head & 31;
        std::uint64_t argument = info;
        if (info >= 24) {
            const std::size_t length = std::size_t{1} << (info - 24);
            if (info > 27 || bytes_.size() < length)
                return false;
            argument = 0;
            for (std::size_t i = 0; i < length; ++i)
                argument = argument << 8 | std::to_integer<std::uint64_t>(bytes_[i]);
            bytes_ = bytes_.subspan(length);
        }
        switch (major) {
        case 2:
        case 3: // strings
            if (argument > bytes_.size())
                return false;
            bytes_ = bytes_.subspan(argument);
            return true;
        case 4:
        case 5: // lists and maps; each item takes a byte at least
            if (argument > bytes_.size())
                return false;
            items = major == 4 ? argument : 2 * argument;
            return true;
        case 6: // tags: never written
            return false;
        default:
            return true;
        }
    }

    std::span<const std::byte> bytes_;
};

} // namespace

void append_u32(std::vector<std::byte>& bytes, std::uint32_t value) {
    append(bytes, value);
}
void append_u64(std::vector<std::byte>& bytes, std::uint64_t value) {
    append(bytes, value);
}
std::uint32_t read_u32(std::span<const std::byte> bytes, std::size_t offset) noexcept {
    return read<std::uint32_t>(bytes, offset);
}
std::uint64_t read_u64(std::span<const std::byte> bytes, std::size_t offset) noexcept {
    return read<std::uint64_t>(bytes, offset);
}

nlohmann::json binary(std::span<const std::byte> bytes) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return nlohmann::json::binary({data, data + bytes.size()});
}

std::span<const std::byte> bytes_of(const nlohmann::json& value) noexcept {
    if (!value.is_binary())
        return {};
    const auto& bytes = *value.get_ptr<const nlohmann::json::binary_t*>();
    return std::as_bytes(std::span(bytes.data(), bytes.size()));
}

std::optional<nlohmann::json> parse_cbor(std::span<const std::byte> bytes) {
    if (!Shape(bytes).is_sound())
        return std::nullopt;
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    nlohmann::json value = nlohmann::json::from_cbor(data, data + bytes.size(), true, false);
    if (value.is_discarded())
        return std::nullopt;
    return value;
}

std::vector<std::byte> frame(const nlohmann::json& payload, std::string_view magic,
                             std::uint32_t version) {
    std::vector<std::byte> file;
    for (const std::uint8_t byte : nlohmann::json::to_cbor(payload))
        file.push_back(static_cast<std::byte>(byte));
    const base::Checksum checksum = base::checksum(file);
    append_u64(file, checksum.low);
    append_u64(file, checksum.high);
    append_u32(file, version);
    for (const char c : magic)
        file.push_back(static_cast<std::byte>(c));
    return file;
}

std::optional<nlohmann::json> unframe(std::span<const std::byte> file, std::string_view magic,
                                      std::uint32_t version) {
    if (file.size() < trailer_bytes)
        return std::nullopt;
    const std::span<const std::byte> trailer = file.last(trailer_bytes);
    const std::span<const std::byte> payload = file.first(file.size() - trailer_bytes);
    const std::string_view found(reinterpret_cast<const char*>(trailer.data()) + 20, magic_bytes);
    if (found != magic || read_u32(trailer, 16) != version)
        return std::nullopt;
    const base::Checksum checksum = base::checksum(payload);
    if (checksum.low != read_u64(trailer, 0) || checksum.high != read_u64(trailer, 8))
        return std::nullopt;
    return parse_cbor(payload);
}

} // namespace kiln::cache
