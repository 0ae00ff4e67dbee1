// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cubin/elf_image.h"

#include <kiln/cubin.h>

#include <string>
#include <vector>

namespace kiln::cubin {

struct Functions {
    std::vector<KernelInfo> kernels;    ///< in the order of the symbol table
    std::vector<std::string> undefined; ///< called, and for the driver to supply
};

/// Throws Error(cubin_invalid) where symbols, attributes or parameters are damaged, or a kernel has
/// none.
Functions read_functions(const ElfImage& elf, const Target& target);

} // namespace kiln::cubin
