// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cubin/elf_image.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace kiln::cubin {

/// The attributes that Kiln reads, of those in `.nv.info` (of the image: a symbol and its value)
/// and
/// `.nv.info.KERNEL`. CUDA names them EIATTR_ and documents none; the numbers and layouts were
/// measured with CUDA 11.8 to 13.5.
enum class AttributeKind : std::uint8_t {
    max_threads = 0x05,     ///< u32 x, y, z from `__launch_bounds__`
    required_block = 0x10,  ///< u32 x, y, z from `__block_size__`
    frame_size = 0x11,      ///< u32 symbol, u32 bytes
    parameter = 0x17,       ///< u32 index, u16 ordinal, u16 offset, u32 with the size from bit 18
    parameter_bytes = 0x19, ///< u16, all parameters together
    registers = 0x2f,       ///< u32 symbol, u32 count
    wide_parameter = 0x45   ///< as `parameter`, the size in the low 16 bits: a block above 16 KiB
};

struct Attribute {
    AttributeKind kind{};
    std::span<const std::byte> value; ///< 2 bytes for the short forms
};

/// Reads the attributes of one section in turn.
class AttributeReader {
  public:
    explicit AttributeReader(const Section& section) noexcept : section_(section) {}

    /// The next one of a known or unknown kind, or nothing at the end. Throws Error(cubin_invalid)
    /// where one does not end within the section, or is of a known kind and too short for it.
    std::optional<Attribute> next();

  private:
    const Section& section_;
    std::size_t position_ = 0;
};

} // namespace kiln::cubin
