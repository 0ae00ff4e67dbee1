// SPDX-License-Identifier: Apache-2.0
#include "cubin/elf_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace kiln::cubin {

namespace {

constexpr GElf_Half machine_cuda = 190; // EM_CUDA, which older elf.h lack

bool begins_with(std::span<const std::byte> bytes, std::string_view magic) {
    return bytes.size() >= magic.size() &&
           std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

/// What else CUDA tools write where a cubin is expected.
Error not_elf(std::span<const std::byte> bytes) {
    if (bytes.empty())
        return invalid("the cubin is empty",
                       "a compiler writes none for a virtual target (compute_90)");
    if (begins_with(bytes, "\x50\xed\x55\xba"))
        return invalid("this is a fat binary, not a cubin", "compile with -cubin, not -fatbin");
    if (begins_with(bytes, "//") || begins_with(bytes, ".version"))
        return invalid("this is PTX, not a cubin", "compile for a real target (sm_90)");
    return invalid("this is not a cubin: it does not begin with the header of an ELF image");
}

} // namespace

Error invalid(std::string message, std::string hint) {
    return {ErrorCode::cubin_invalid, std::move(message), std::move(hint)};
}

ElfImage::ElfImage(std::span<const std::byte> bytes) : bytes_(bytes) {
    read_header();
    read_sections();
    read_segments();
}

void ElfImage::read_header() {
    if (!begins_with(bytes_, ELFMAG))
        throw not_elf(bytes_);
    if (bytes_.size() < sizeof(Elf64_Ehdr))
        throw invalid(fmt::format("the cubin is cut off after {} bytes, within its first header",
                                  bytes_.size()));
    const auto ident = read_at<std::array<unsigned char, EI_NIDENT>>(bytes_, 0);
    // Before libelf sees it: another byte order would make it convert in buffers of its own.
    if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB)
        throw invalid("this is not a cubin: the ELF image is not a little-endian one of 64 bits");

    static const unsigned version = elf_version(EV_CURRENT);
    if (version == EV_NONE)
        throw Error(ErrorCode::internal, "libelf is older than the header it was built with");
    // libelf reads a memory image in place and never writes to one.
    elf_.reset(
        elf_memory(reinterpret_cast<char*>(const_cast<std::byte*>(bytes_.data())), bytes_.size()));
    if (!elf_ || !gelf_getehdr(elf_.get(), &header_))
        throw invalid(fmt::format("the ELF header of the cubin is damaged: {}", elf_errmsg(-1)));
    if (header_.e_machine != machine_cuda)
        throw invalid(fmt::format("this is not a cubin: the ELF image is for machine {}, not CUDA",
                                  header_.e_machine));
    if (header_.e_type == ET_REL)
        throw invalid("this is relocatable device code, which no driver loads",
                      "compile without -rdc=true, or link it first");
    if (header_.e_type != ET_EXEC)
        throw invalid(
            fmt::format("the ELF image of the cubin has the unknown type {}", header_.e_type));
    // e_version says nothing: CUDA 12 has its own version there.
    if (header_.e_ehsize != sizeof(Elf64_Ehdr))
        throw invalid("the ELF header of the cubin is damaged");
    length_ = sizeof(Elf64_Ehdr);
}

void ElfImage::extend(std::uint64_t offset, std::uint64_t size, std::string_view what,
                      std::size_t index) {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
        const auto end = size > std::numeric_limits<std::uint64_t>::max() - offset
                             ? std::numeric_limits<std::uint64_t>::max()
                             : offset + size;
        throw invalid(fmt::format("the cubin is cut off or damaged: {}{} ends at byte {} of {}",
                                  what, index == 0 ? "" : fmt::format(" {}", index), end,
                                  bytes_.size()));
    }
    length_ = std::max(length_, offset + size);
}

void ElfImage::read_sections() {
    std::size_t count = 0;
    std::size_t names = 0;
    if (header_.e_shentsize != sizeof(Elf64_Shdr))
        throw invalid("the section headers of the cubin have an unknown size");
    // Checked before libelf counts them: it takes a table that it cannot reach for none.
    extend(header_.e_shoff, std::uint64_t{header_.e_shnum} * sizeof(Elf64_Shdr),
           "the table of section headers");
    if (elf_getshdrnum(elf_.get(), &count) != 0 || elf_getshdrstrndx(elf_.get(), &names) != 0 ||
        count == 0)
        throw invalid("the cubin has no readable sections");
    extend(header_.e_shoff, count * sizeof(Elf64_Shdr), "the table of section headers");

    sections_.resize(count);
    for (std::size_t i = 1; i < count; ++i) {
        auto& section = sections_[i];
        Elf_Scn* handle = elf_getscn(elf_.get(), i);
        if (!handle || !gelf_getshdr(handle, &section.header))
            throw invalid(
                fmt::format("section {} of the cubin cannot be read: {}", i, elf_errmsg(-1)));
        const auto& header = section.header;
        section.name = string(names, header.sh_name);
        if (header.sh_type == SHT_NOBITS || header.sh_type == SHT_NULL)
            continue;
        extend(header.sh_offset, header.sh_size, "section", i);
        section.data = bytes_.subspan(header.sh_offset, header.sh_size);
        if (header.sh_type != SHT_SYMTAB)
            continue;
        if (!symbols_.empty() || header.sh_entsize != sizeof(Elf64_Sym) ||
            header.sh_size % sizeof(Elf64_Sym) != 0)
            throw invalid("the symbol table of the cubin is damaged");
        symbols_ = section.data;
        symbol_names_ = header.sh_link;
    }
    if (symbols_.empty())
        throw invalid("the cubin has no symbol table");
}

void ElfImage::read_segments() {
    // Not elf_getphdrnum, which counts those that are there where the table is cut off.
    const std::size_t count = header_.e_phnum;
    if (count == 0)
        return;
    if (header_.e_phentsize != sizeof(Elf64_Phdr))
        throw invalid("the program headers of the cubin have an unknown size");
    extend(header_.e_phoff, count * sizeof(Elf64_Phdr), "the table of program headers");
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr segment;
        if (!gelf_getphdr(elf_.get(), static_cast<int>(i), &segment))
            throw invalid(fmt::format("program header {} of the cubin cannot be read: {}", i,
                                      elf_errmsg(-1)));
        if (segment.p_filesz != 0)
            extend(segment.p_offset, segment.p_filesz, "a segment");
    }
}

std::string_view ElfImage::string(std::size_t table, std::size_t offset) const {
    const char* text = elf_strptr(elf_.get(), table, offset);
    if (!text)
        throw invalid(fmt::format("a name in the cubin cannot be read: {}", elf_errmsg(-1)));
    return text;
}

const Section* ElfImage::find(std::string_view name) const noexcept {
    const auto found = std::find_if(sections_.begin(), sections_.end(),
                                    [&](const Section& section) { return section.name == name; });
    return found == sections_.end() ? nullptr : &*found;
}

Elf64_Sym ElfImage::symbol(std::size_t index) const noexcept {
    return read_at<Elf64_Sym>(symbols_, index * sizeof(Elf64_Sym));
}

std::string_view ElfImage::name(const Elf64_Sym& symbol) const {
    return string(symbol_names_, symbol.st_name);
}

} // namespace kiln::cubin
