// SPDX-License-Identifier: Apache-2.0
#include "cubin/inspect.h"

#include "arch/spelling.h"
#include "cubin/kernels.h"
#include "cubin/tool_note.h"

#include <fmt/format.h>

namespace kiln::cubin {

namespace {

/// Two layouts of e_flags, told apart by the OS ABI byte. Measured: 0x33 until CUDA 12.9 for all
/// before sm_100, 0x41 for sm_100 and later and, from CUDA 13.0 on, for all.
struct Flags {
    int number = 0;         ///< 90
    bool suffix_a = false;  ///< not set by CUDA 13 any more
    bool tool_note = false; ///< this layout comes with one
};

Flags read_flags(const ElfImage& image) {
    const auto flags = image.header().e_flags;
    switch (image.header().e_ident[EI_OSABI]) {
    case 0x33:
        return {static_cast<int>(flags & 0xff), (flags & 0x800) != 0, false};
    case 0x41:
        return {static_cast<int>(flags >> 8 & 0xff), (flags & 0x08) != 0, true};
    default:
        throw invalid(fmt::format("this is not a cubin: the ELF image is for the system {}",
                                  image.header().e_ident[EI_OSABI]));
    }
}

void read_target(const ElfImage& elf, Image& image) {
    const auto flags = read_flags(elf);
    if (const auto note = read_tool_note(elf)) {
        const auto spelling = arch::read(note->target);
        if (!spelling || spelling->form != arch::Form::sm || spelling->with_ptx ||
            spelling->capability.number() != flags.number)
            throw invalid(fmt::format("the cubin contradicts itself: its header is for SM {}, its "
                                      "tool note says '{}'",
                                      flags.number, note->text));
        image.target = spelling->target();
        image.note = note->text;
        return;
    }
    if (flags.number < 10)
        throw invalid(
            fmt::format("the header of the cubin is for the unknown SM {}", flags.number));
    image.target = {ComputeCapability::from_number(flags.number),
                    flags.suffix_a ? Suffix::a : Suffix::none, TargetKind::real};
    image.suffix_known = flags.suffix_a || !flags.tool_note;
}

} // namespace

Image inspect(std::span<const std::byte> bytes) {
    const ElfImage elf(bytes);
    Image image;
    image.bytes = elf.length();
    read_target(elf, image);
    auto functions = read_functions(elf, image.target);
    image.kernels = std::move(functions.kernels);
    image.undefined = std::move(functions.undefined);
    return image;
}

} // namespace kiln::cubin
