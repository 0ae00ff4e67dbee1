// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"
#include "toolkit/toolkit.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kiln::toolkit {

/// A place that was looked at, for messages.
struct Tried {
    std::filesystem::path path;
    std::string found_by;
    std::string outcome; ///< `CUDA 13.0.88`, or why it is no toolkit
};

struct Discovery {
    std::vector<Toolkit> toolkits; ///< best first, each root once
    std::vector<Tried> tried;
};

struct DiscoveryOptions {
    /// A path (`--toolkit /opt/cuda`) is looked at first; a version (`12.8`, `13`) chooses among
    /// what is found.
    std::string wanted;
    /// The default prefix, whose versioned siblings (`cuda-12.8`) count too.
    std::filesystem::path default_prefix = "/usr/local/cuda";
    /// Where Python packages lie (`site-packages`); empty: asked of the python3 on PATH's layout.
    std::vector<std::filesystem::path> site_packages;
};

/// Looks in this order: `wanted` as a path, CUDA_HOME, CUDA_PATH, nvcc on PATH, the default prefix
/// and its versioned siblings (newest first), NVIDIA's Python wheels, conda. Reads directories and
/// small files; starts no program and loads no library.
Discovery discover(const DiscoveryOptions& options, const base::Environment& environment);

/// The toolkit to use: the one at a wanted path, the best of a wanted version, else the first.
/// Throws Error(toolkit_missing) that lists every place tried.
const Toolkit& choose(const Discovery& discovery, const DiscoveryOptions& options);

} // namespace kiln::toolkit
