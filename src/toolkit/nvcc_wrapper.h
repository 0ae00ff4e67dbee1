// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"
#include "toolkit/version.h"

#include <filesystem>
#include <optional>
#include <string>

namespace kiln::toolkit {

/// What an nvcc says of itself when it is run.
struct WrapperAnswer {
    std::optional<Version> version;
    std::filesystem::path home; ///< the toolkit that it works with, links resolved; may be empty
    std::string trouble;        ///< why there is no version
};

/// Runs `nvcc --version` and a dry run, each for at most 5 s: for an nvcc that is a script or link
/// of somebody else (a compiler cache, a site's wrapper), whose toolkit lies elsewhere.
WrapperAnswer ask_wrapper(const std::filesystem::path& nvcc, const base::Environment& environment);

} // namespace kiln::toolkit
