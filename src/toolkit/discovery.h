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
    std::filesystem::path path; ///< empty where a variable is not set
    std::string found_by;       ///< as in Toolkit::found_by; `requested` for a wanted path
    std::string outcome;        ///< `CUDA 13.0.88`, or why it is no toolkit
    std::string str() const;    ///< `CUDA_HOME /opt/cuda: does not exist`
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
    /// Where distributions put CUDA; looked at after the default prefix.
    std::vector<std::filesystem::path> distribution_prefixes = {"/opt/cuda", "/usr/lib/cuda",
                                                                "/usr"};
    /// Where Python packages lie (`site-packages`); empty: asked of the python3 on PATH's layout.
    std::vector<std::filesystem::path> site_packages;
};

/// Looks in this order: `wanted` as a path, CUDA_HOME, CUDA_PATH, nvcc on PATH, the default prefix
/// and its versioned siblings (newest first), distributions' prefixes, NVIDIA's Python wheels,
/// conda. A variable that names no toolkit is said in the log once and passed over.
/// Reads directories and small files and loads no library. Runs nothing, save an nvcc with no
/// toolkit around it (a script of somebody's), which is asked for its version and its home, and
/// only if nothing was found before it or a version is wanted.
Discovery discover(const DiscoveryOptions& options, const base::Environment& environment);

/// The toolkit to use: the one at a wanted path, the first of a wanted version (`13` takes any
/// 13.x, `12.8` any 12.8.x), else the first.
/// Throws Error(toolkit_missing): "tried" in its context has every place tried, one a line, and the
/// hint names the toolkits that are there. Error(usage) if `wanted` is neither path nor version.
const Toolkit& choose(const Discovery& discovery, const DiscoveryOptions& options);

} // namespace kiln::toolkit
