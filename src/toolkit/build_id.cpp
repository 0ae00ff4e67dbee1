// SPDX-License-Identifier: Apache-2.0
#include "toolkit/build_id.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kiln::toolkit {
namespace {

/// An ELF file open for reading. `elf` is null if it cannot be read as one.
class ElfFile {
  public:
    explicit ElfFile(const std::filesystem::path& file) {
        // A FIFO must not block a program that only looks around.
        descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        struct stat status {};
        if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode))
            return;
        elf_version(EV_CURRENT);
        // No mapping: another process may cut the file short while it is read.
        elf_ = elf_begin(descriptor_, ELF_C_READ, nullptr);
        if (elf_ != nullptr && elf_kind(elf_) != ELF_K_ELF) {
            elf_end(elf_);
            elf_ = nullptr;
        }
    }
    ElfFile(const ElfFile&) = delete;
    ElfFile& operator=(const ElfFile&) = delete;
    ~ElfFile() {
        if (elf_ != nullptr)
            elf_end(elf_);
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }

    Elf* elf() const noexcept { return elf_; }
    int descriptor() const noexcept { return descriptor_; }

  private:
    int descriptor_ = -1;
    Elf* elf_ = nullptr;
};

constexpr std::size_t note_limit = std::size_t{1} << 20;

std::optional<std::string> build_id_in(Elf_Data* notes) {
    const auto* bytes = static_cast<const unsigned char*>(notes->d_buf);
    GElf_Nhdr note{};
    std::size_t name = 0;
    std::size_t description = 0;
    std::size_t at = 0;
    while ((at = gelf_getnote(notes, at, &note, &name, &description)) > 0) {
        const std::string_view owner(reinterpret_cast<const char*>(bytes + name), note.n_namesz);
        if (note.n_type != NT_GNU_BUILD_ID || owner != std::string_view("GNU\0", 4) ||
            note.n_descsz == 0)
            continue;
        return fmt::format("{:02x}",
                           fmt::join(bytes + description, bytes + description + note.n_descsz, ""));
    }
    return std::nullopt;
}

constexpr std::size_t window_size = std::size_t{64} << 10;
constexpr std::size_t text_limit = 256;

struct Extent {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

std::optional<Extent> section_extent(Elf* elf, std::string_view name) {
    std::size_t names = 0;
    if (elf == nullptr || elf_getshdrstrndx(elf, &names) != 0)
        return std::nullopt;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr)
            return std::nullopt;
        const char* title = elf_strptr(elf, names, header.sh_name);
        if (title != nullptr && name == title && header.sh_type != SHT_NOBITS)
            return Extent{header.sh_offset, header.sh_size};
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> gnu_build_id(const std::filesystem::path& file) {
    const ElfFile image(file);
    std::size_t count = 0;
    if (image.elf() == nullptr || elf_getphdrnum(image.elf(), &count) != 0)
        return std::nullopt;
    for (std::size_t index = 0; index < count; ++index) {
        GElf_Phdr header{};
        if (gelf_getphdr(image.elf(), static_cast<int>(index), &header) == nullptr)
            return std::nullopt;
        if (header.p_type != PT_NOTE || header.p_filesz == 0 || header.p_filesz > note_limit)
            continue;
        Elf_Data* notes =
            elf_getdata_rawchunk(image.elf(), static_cast<std::int64_t>(header.p_offset),
                                 header.p_filesz, header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
        if (notes == nullptr)
            continue;
        if (auto id = build_id_in(notes))
            return id;
    }
    return std::nullopt;
}

std::optional<std::string> text_in_section(const std::filesystem::path& file,
                                           std::string_view section, std::string_view mark) {
    const ElfFile image(file);
    const auto extent = section_extent(image.elf(), section);
    if (!extent)
        return std::nullopt;
    // Windows overlap by as much as a text may have, so that none is cut in two.
    std::vector<char> window(window_size);
    for (std::uint64_t at = 0; at < extent->size; at += window_size - text_limit) {
        const auto wanted = std::min<std::uint64_t>(window_size, extent->size - at);
        const auto got = ::pread(image.descriptor(), window.data(), wanted,
                                 static_cast<off_t>(extent->offset + at));
        if (got <= 0)
            return std::nullopt;
        const std::string_view text(window.data(), static_cast<std::size_t>(got));
        if (const auto found = text.find(mark); found != std::string_view::npos) {
            const auto rest = text.substr(found, text_limit);
            return std::string(rest.substr(0, rest.find('\0')));
        }
    }
    return std::nullopt;
}

} // namespace kiln::toolkit
