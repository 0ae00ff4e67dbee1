// SPDX-License-Identifier: Apache-2.0
#include "cache/inputs.h"

#include <string_view>

namespace kiln::cache {

namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path, base::FileSystem& files) {
    std::error_code error;
    // What cannot be looked at may be a file.
    return files.status(path, error).kind == base::FileKind::regular || error;
}

/// The name that appeared, or empty.
std::string appeared(const AbsentNames& names, const fs::path& missing, base::FileSystem& files) {
    std::error_code error;
    const base::FileStatus status = files.status(missing, error);
    if (status.kind == base::FileKind::absent && !error)
        return {};
    if (names.below.empty())
        return status.kind == base::FileKind::regular || error ? names.missing.str()
                                                               : std::string{};
    std::string_view rest = names.below;
    while (!rest.empty()) {
        const std::string_view name = rest.substr(0, rest.find('\0'));
        if (is_file(missing / name, files))
            return names.missing.str() + (names.missing.relative.empty() ? "" : "/") +
                   std::string(name);
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    return {};
}

} // namespace

ResolvedSet resolve(const InputSet& set, std::span<const NamedRoot> roots) {
    ResolvedSet paths;
    paths.files.reserve(set.files.size());
    for (const Input& file : set.files)
        paths.files.push_back(to_path(file.name, roots));
    paths.absent.reserve(set.absent.size());
    for (const AbsentNames& names : set.absent)
        paths.absent.push_back(to_path(names.missing, roots));
    return paths;
}

Validation validate(const InputSet& set, const ResolvedSet& paths, base::FileSystem& files,
                    base::DigestCache& digests, std::vector<Refresh>& refreshes) {
    for (std::size_t i = 0; i < set.files.size(); ++i) {
        const Input& file = set.files[i];
        if (paths.files[i].empty())
            return {false, file.name.root + " is no root of this request", false};
        std::error_code error;
        if (file.settled) {
            const base::FileStatus status = files.status(paths.files[i], error);
            if (!error && status.kind == base::FileKind::regular && status.stamp == file.stamp)
                continue;
        }
        const auto now = digests.digest(paths.files[i]);
        if (!now)
            return {false, file.name.str() + " is gone", false};
        if (now->digest != file.digest)
            return {false, file.name.str() + " changed", false};
        if (now->settled)
            refreshes.push_back({i, now->stamp, true});
    }
    for (std::size_t i = 0; i < set.absent.size(); ++i) {
        if (paths.absent[i].empty())
            return {false, set.absent[i].missing.root + " is no root of this request", false};
        const std::string name = appeared(set.absent[i], paths.absent[i], files);
        if (!name.empty())
            return {false, name + " appeared", false};
    }
    return {true, {}, !refreshes.empty()};
}

Validation validate(InputSet& set, std::span<const NamedRoot> roots, base::FileSystem& files,
                    base::DigestCache& digests) {
    std::vector<Refresh> refreshes;
    Validation result = validate(set, resolve(set, roots), files, digests, refreshes);
    for (const Refresh& refresh : refreshes) {
        set.files[refresh.file].stamp = refresh.stamp;
        set.files[refresh.file].settled = refresh.settled;
    }
    return result;
}

} // namespace kiln::cache
