// SPDX-License-Identifier: Apache-2.0
#include "cubin/attributes.h"

#include <fmt/format.h>

namespace kiln::cubin {

namespace {

/// How the value of an attribute is stored.
enum class Format : std::uint8_t { none = 1, byte = 2, half = 3, sized = 4 };

std::size_t least_size(AttributeKind kind) {
    switch (kind) {
    case AttributeKind::max_threads:
    case AttributeKind::required_block:
    case AttributeKind::parameter:
    case AttributeKind::wide_parameter:
        return 12;
    case AttributeKind::frame_size:
    case AttributeKind::registers:
        return 8;
    case AttributeKind::parameter_bytes:
        return 2;
    }
    return 0;
}

} // namespace

std::optional<Attribute> AttributeReader::next() {
    constexpr std::size_t head = 4;
    const auto left = section_.data.subspan(position_);
    if (left.empty())
        return std::nullopt;
    if (left.size() < head)
        throw invalid(fmt::format("an attribute in {} is cut off", section_.name));
    const auto format = Format{read_at<std::uint8_t>(left, 0)};
    Attribute attribute{AttributeKind{read_at<std::uint8_t>(left, 1)}, left.subspan(2, 2)};
    position_ += head;
    switch (format) {
    case Format::none:
    case Format::byte:
    case Format::half:
        break;
    case Format::sized: {
        const std::size_t size = read_at<std::uint16_t>(left, 2);
        if (size > left.size() - head)
            throw invalid(fmt::format("an attribute in {} is cut off", section_.name));
        attribute.value = left.subspan(head, size);
        position_ += size;
        break;
    }
    default:
        throw invalid(fmt::format("an attribute in {} has the unknown format {}", section_.name,
                                  static_cast<unsigned>(format)));
    }
    if (attribute.value.size() < least_size(attribute.kind))
        throw invalid(fmt::format("an attribute in {} is too short", section_.name));
    return attribute;
}

} // namespace kiln::cubin
