// SPDX-License-Identifier: Apache-2.0
#include "base/file_system.h"
#include "toolkit/installed_version.h"
#include "toolkit/layout.h"

#include <string_view>
#include <system_error>

namespace kiln::toolkit {
namespace {

namespace fs = std::filesystem;

/// Files called `<stem>` or `<stem>.<version>` in a directory, links resolved.
std::vector<fs::path> libraries(const fs::path& directory, std::string_view stem) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& name : base::real_file_system().list(directory, error)) {
        if (!name.starts_with(stem) || (name.size() > stem.size() && name[stem.size()] != '.'))
            continue;
        std::error_code broken;
        auto resolved = fs::canonical(directory / name, broken);
        if (!broken && fs::is_regular_file(resolved, broken))
            found.push_back(std::move(resolved));
    }
    return found;
}

bool same_release(const Version& a, const Version& b) {
    return a.major == b.major && a.minor == b.minor;
}

/// How well builtins fit: those of the toolkit's release, else of the release in NVRTC's name,
/// else of its major. CUDA 11 calls every NVRTC from 11.2 on `libnvrtc.so.11.2`.
int fitness(const Version& builtins, const Version& nvrtc, const std::optional<Version>& wanted) {
    if (wanted && same_release(builtins, *wanted))
        return 3;
    if (same_release(builtins, nvrtc))
        return 2;
    return builtins.major == nvrtc.major ? 1 : 0;
}

fs::path find_builtins(const fs::path& nvrtc, const std::optional<Version>& wanted) {
    const auto version = version_in_name(nvrtc).value_or(Version{});
    fs::path best;
    std::pair<int, Version> best_rank{-1, {}};
    for (const auto& candidate : libraries(nvrtc.parent_path(), "libnvrtc-builtins.so")) {
        const auto own = version_in_name(candidate).value_or(Version{});
        const std::pair rank{fitness(own, version, wanted), own};
        if (best_rank < rank) {
            best = candidate;
            best_rank = rank;
        }
    }
    return best;
}

} // namespace

NvrtcPair find_nvrtc(const std::vector<fs::path>& directories,
                     const std::optional<Version>& wanted) {
    for (const auto& directory : directories) {
        NvrtcPair best;
        Version best_version{-1, 0, 0};
        for (const auto& candidate : libraries(directory, "libnvrtc.so")) {
            const auto version = version_in_name(candidate).value_or(Version{});
            if (wanted && version.major != 0 && version.major != wanted->major)
                continue;
            if (best_version < version) {
                best.nvrtc = candidate;
                best_version = version;
            }
        }
        if (best.nvrtc.empty())
            continue;
        best.builtins = find_builtins(best.nvrtc, wanted);
        return best;
    }
    return {};
}

} // namespace kiln::toolkit
