// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/arch_lists.h"

#include <string>
#include <string_view>
#include <vector>

namespace kiln::arch {

/// A name of `configs/arch_names.yaml`.
struct ArchName {
    std::string name;
    std::vector<ListEntry> entries; ///< empty where it is refused
    std::string refused;            ///< the reason
};

/// All of them; read at the first use and kept, safe from many threads.
const std::vector<ArchName>& arch_names();
/// Null for a text that is no name.
const ArchName* find_arch_name(std::string_view name);

} // namespace kiln::arch
