// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/error.h>

#include <gelf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::cubin {

/// The Error(cubin_invalid) of everything that reads an image.
Error invalid(std::string message, std::string hint = {});

/// A value in the host's order, which is a cubin's on every host that CUDA has.
/// `offset + sizeof(Value)` must lie within `bytes`.
template <class Value>
Value read_at(std::span<const std::byte> bytes, std::size_t offset) noexcept {
    Value value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

struct Section {
    std::string_view name;
    GElf_Shdr header{};
    std::span<const std::byte> data; ///< empty for a section without bytes in the file
};

/// The frame of a cubin: an ELF executable for CUDA, whose headers, sections and segments were
/// checked to lie within the bytes given. Views into it stay valid as long as those bytes.
class ElfImage {
  public:
    /// Throws Error(cubin_invalid).
    explicit ElfImage(std::span<const std::byte> bytes);

    const GElf_Ehdr& header() const noexcept { return header_; }
    const std::vector<Section>& sections() const noexcept { return sections_; }
    /// The section with this name, or null.
    const Section* find(std::string_view name) const noexcept;
    std::size_t symbol_count() const noexcept { return symbols_.size() / sizeof(Elf64_Sym); }
    /// One symbol of the one symbol table; the first (0) is empty.
    Elf64_Sym symbol(std::size_t index) const noexcept;
    /// Throws Error(cubin_invalid) where the name lies outside the string table.
    std::string_view name(const Elf64_Sym& symbol) const;
    /// Where the image ends: the end of its last header table, section or segment.
    std::uint64_t length() const noexcept { return length_; }

  private:
    void read_header();
    void read_sections();
    void read_segments();
    /// Notes that the image reaches to `offset + size`; throws if the bytes do not.
    void extend(std::uint64_t offset, std::uint64_t size, std::string_view what,
                std::size_t index = 0);
    std::string_view string(std::size_t table, std::size_t offset) const;

    struct End {
        void operator()(Elf* elf) const noexcept { elf_end(elf); }
    };

    std::span<const std::byte> bytes_;
    std::unique_ptr<Elf, End> elf_;
    GElf_Ehdr header_{};
    std::vector<Section> sections_;
    std::span<const std::byte> symbols_;
    std::size_t symbol_names_ = 0; ///< the section that holds them
    std::uint64_t length_ = 0;
};

} // namespace kiln::cubin
