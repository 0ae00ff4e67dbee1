// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"

#include <kiln/arch.h>

#include <filesystem>
#include <string>
#include <vector>

namespace kiln::toolkit {

/// What nvcc answers.
struct NvccAnswer {
    std::vector<Target> targets; ///< sorted
    std::string error;           ///< why it cannot compile now, or empty
};

/// Asks nvcc for its targets, and tries every `a` and `f` spelling with a dry run (its lists have
/// plain targets only). About 0.2 s. The targets are there also where it could not compile for want
/// of a host compiler. Throws nothing else than what memory allocation does.
NvccAnswer ask_nvcc(const std::filesystem::path& nvcc, const base::Environment& environment);

} // namespace kiln::toolkit
