// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_places.h"

namespace kiln::base {

YamlPlace YamlPlaces::of_character(std::size_t index) {
    if (index < index_)
        *this = YamlPlaces(text_);
    while (index_ < index && byte_ < text_.size()) {
        if (text_[byte_] == '\n') {
            ++line_;
            line_begin_ = byte_ + 1;
        }
        ++byte_;
        ++index_;
        // The other bytes of a character begin with the bits 10.
        while (byte_ < text_.size() && (static_cast<unsigned char>(text_[byte_]) & 0xC0u) == 0x80u)
            ++byte_;
    }
    return {line_, static_cast<int>(byte_ - line_begin_) + 1};
}

} // namespace kiln::base
