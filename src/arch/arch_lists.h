// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/arch.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Lists of archs as other tools write them. What they mean, and how that differs from what the
/// tools do: docs/configuration.md.
namespace kiln::arch {

enum class ListSyntax : std::uint8_t {
    torch,      ///< TORCH_CUDA_ARCH_LIST: `8.0;8.6+PTX 9.0a Hopper`
    flashinfer, ///< FLASHINFER_CUDA_ARCH_LIST: `9.0a 12.0f`
    cmake       ///< CMAKE_CUDA_ARCHITECTURES: `80-real;90a-virtual;120f`, `all-major`
};

/// `torch`, `flashinfer`, `cmake`; nothing for another text.
std::optional<ListSyntax> list_syntax(std::string_view name) noexcept;
std::string_view to_string(ListSyntax syntax) noexcept;

/// The environment variables that hold such a list; the first that is set counts.
std::span<const std::string_view> variables_of(ListSyntax syntax) noexcept;

/// One entry: an arch, or a word that a toolkit or the driver must fill in.
struct ListEntry {
    enum class Kind : std::uint8_t { arch, all, all_major, native } kind = Kind::arch;
    ArchRequest arch; ///< for Kind::arch
};

/// In the order written; a name is expanded in its place (`configs/arch_names.yaml`). `source` says
/// in messages where the text is from. Throws Error(unknown_arch) that names every entry that is
/// not understood with its column, counted from 1; none is left out. A list without an entry is
/// such an error too.
std::vector<ListEntry> read_list(ListSyntax syntax, std::string_view text, std::string_view source);

} // namespace kiln::arch
