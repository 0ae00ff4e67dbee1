// SPDX-License-Identifier: Apache-2.0
#include "cubin/kernels.h"

#include "cubin/attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace kiln::cubin {

namespace {

constexpr unsigned char kernel_mark = 0x10;           // in st_other; device functions lack it
constexpr std::uint32_t reserved_shared_bytes = 1024; // by the system, from 9.0 on

/// A kernel while its parts are collected.
struct Kernel {
    KernelInfo info;
    struct Parameter {
        std::uint32_t ordinal = 0;
        KernelParameter layout;
    };
    std::vector<Parameter> parameters;
    std::uint32_t parameter_bytes = 0;
    bool has_registers = false;
    bool has_attributes = false;
};

constexpr std::uint32_t no_kernel = std::numeric_limits<std::uint32_t>::max();

struct Kernels {
    std::vector<Kernel> list;
    std::vector<std::uint32_t> of_symbol;  ///< index into list, by index of the symbol
    std::vector<std::uint32_t> of_section; ///< by index of the section with its code

    Kernel* by(const std::vector<std::uint32_t>& table, std::size_t index) noexcept {
        return index < table.size() && table[index] != no_kernel ? &list[table[index]] : nullptr;
    }
};

Kernels read_symbols(const ElfImage& elf, std::vector<std::string>& undefined) {
    Kernels kernels;
    kernels.of_symbol.assign(elf.symbol_count(), no_kernel);
    kernels.of_section.assign(elf.sections().size(), no_kernel);
    for (std::size_t i = 0; i < elf.symbol_count(); ++i) {
        const auto symbol = elf.symbol(i);
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC)
            continue;
        const auto name = elf.name(symbol);
        if (symbol.st_shndx == SHN_UNDEF) {
            undefined.emplace_back(name);
            continue;
        }
        if ((symbol.st_other & kernel_mark) == 0)
            continue;
        if (name.empty() || symbol.st_shndx >= elf.sections().size() ||
            kernels.of_section[symbol.st_shndx] != no_kernel)
            throw invalid(fmt::format("symbol {} of the cubin is damaged", i));
        const auto& code = elf.sections()[symbol.st_shndx];
        if (symbol.st_value > code.data.size() ||
            symbol.st_size > code.data.size() - symbol.st_value)
            throw invalid(fmt::format("the code of kernel {} lies outside its section", name));
        kernels.of_symbol[i] = static_cast<std::uint32_t>(kernels.list.size());
        kernels.of_section[symbol.st_shndx] = kernels.of_symbol[i];
        kernels.list.emplace_back().info.symbol = name;
    }
    return kernels;
}

/// `.nv.info`: one value a symbol.
void read_image_attributes(const Section& section, Kernels& kernels) {
    AttributeReader reader(section);
    while (const auto attribute = reader.next()) {
        if (attribute->kind != AttributeKind::registers &&
            attribute->kind != AttributeKind::frame_size)
            continue;
        auto* kernel = kernels.by(kernels.of_symbol, read_at<std::uint32_t>(attribute->value, 0));
        if (!kernel)
            continue;
        const auto value = read_at<std::uint32_t>(attribute->value, 4);
        if (attribute->kind == AttributeKind::registers) {
            kernel->info.registers = value;
            kernel->has_registers = true;
        } else {
            kernel->info.local_bytes = value;
        }
    }
}

std::uint32_t threads(std::span<const std::byte> value) {
    const auto block = read_at<std::array<std::uint32_t, 3>>(value, 0);
    std::uint64_t product = 1;
    for (const auto extent : block) {
        product *= extent;
        // CUDA allows 1024 in all; more than 2^16 a dimension is damage and would overflow.
        if (extent > 0xffff || product > 0xffff)
            throw invalid("the cubin names an impossible block size");
    }
    return static_cast<std::uint32_t>(product);
}

/// `.nv.info.KERNEL`.
void read_kernel_attributes(const Section& section, Kernel& kernel) {
    kernel.has_attributes = true;
    AttributeReader reader(section);
    while (const auto attribute = reader.next()) {
        const auto& value = attribute->value;
        switch (attribute->kind) {
        case AttributeKind::max_threads:
        case AttributeKind::required_block:
            kernel.info.max_threads_per_block = threads(value);
            break;
        case AttributeKind::parameter_bytes:
            kernel.parameter_bytes = read_at<std::uint16_t>(value, 0);
            break;
        case AttributeKind::parameter:
        case AttributeKind::wide_parameter: {
            const auto size = read_at<std::uint32_t>(value, 8);
            kernel.parameters.push_back(
                {read_at<std::uint16_t>(value, 4),
                 {read_at<std::uint16_t>(value, 6),
                  attribute->kind == AttributeKind::parameter ? size >> 18 : size & 0xffff}});
            break;
        }
        default:
            break;
        }
    }
}

void read_sections(const ElfImage& elf, const Target& target, Kernels& kernels) {
    constexpr std::string_view attributes = ".nv.info.";
    constexpr std::string_view shared = ".nv.shared.";
    for (const auto& section : elf.sections()) {
        if (section.name == ".nv.info") {
            read_image_attributes(section, kernels);
            continue;
        }
        const bool is_attributes = section.name.starts_with(attributes);
        if (!is_attributes && !section.name.starts_with(shared))
            continue;
        auto* kernel = kernels.by(kernels.of_section, section.header.sh_info);
        const auto name = section.name.substr((is_attributes ? attributes : shared).size());
        if (!kernel || kernel->info.symbol != name)
            continue;
        if (is_attributes) {
            read_kernel_attributes(section, *kernel);
            continue;
        }
        const auto reserved =
            target.capability >= ComputeCapability{9, 0} ? reserved_shared_bytes : 0;
        const auto size = section.header.sh_size;
        if (size > std::numeric_limits<std::uint32_t>::max())
            throw invalid(fmt::format("kernel {} has an impossible amount of shared memory", name));
        kernel->info.static_shared_bytes =
            static_cast<std::uint32_t>(size - std::min<std::uint64_t>(size, reserved));
    }
}

KernelInfo finish(Kernel& kernel) {
    const auto& name = kernel.info.symbol;
    if (!kernel.has_registers || !kernel.has_attributes)
        throw invalid(fmt::format("the cubin lacks the attributes of kernel {}", name));
    auto& parameters = kernel.parameters;
    std::sort(parameters.begin(), parameters.end(),
              [](const auto& a, const auto& b) { return a.ordinal < b.ordinal; });
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto& layout = parameters[i].layout;
        if (parameters[i].ordinal != i || layout.offset + layout.size > kernel.parameter_bytes)
            throw invalid(fmt::format("the parameters of kernel {} are damaged", name));
        kernel.info.parameters.push_back(layout);
    }
    return std::move(kernel.info);
}

} // namespace

Functions read_functions(const ElfImage& elf, const Target& target) {
    Functions functions;
    auto kernels = read_symbols(elf, functions.undefined);
    read_sections(elf, target, kernels);
    functions.kernels.reserve(kernels.list.size());
    for (auto& kernel : kernels.list)
        functions.kernels.push_back(finish(kernel));
    return functions;
}

} // namespace kiln::cubin
