// SPDX-License-Identifier: Apache-2.0
#include "source/search_path.h"

#include <algorithm>

namespace kiln::source {

namespace {

namespace fs = std::filesystem;

// Without the slash that a directory may end with.
fs::path directory_form(const fs::path& path) {
    fs::path normal = path.lexically_normal();
    if (!normal.has_filename() && normal.has_relative_path())
        normal = normal.parent_path();
    return normal;
}

} // namespace

std::optional<std::string_view> path_below(std::string_view root, std::string_view path) noexcept {
    while (root.ends_with('/'))
        root.remove_suffix(1);
    if (path.size() <= root.size() + 1 || !path.starts_with(root) || path[root.size()] != '/')
        return std::nullopt;
    return path.substr(root.size() + 1);
}

std::string second_name(std::string_view name) {
    const std::string_view last = name.substr(name.rfind('/') + 1);
    if (last.empty() || last.find('.') != std::string_view::npos)
        return {};
    return std::string(name) + ".stdh";
}

SearchPath::SearchPath(std::vector<Root> roots) : roots_(std::move(roots)) {
    for (Root& root : roots_)
        root.path = directory_form(root.path);
    std::stable_partition(roots_.begin(), roots_.end(),
                          [](const Root& root) { return !root.system; });
}

Resolution SearchPath::resolve(std::string_view name, bool quoted,
                               const fs::path& includer_directory, base::FileSystem& files,
                               bool with_shadowed) const {
    std::vector<Found> candidates;
    const auto add = [&](const fs::path& directory, const std::string& root) {
        candidates.push_back({directory / name, root});
        if (const std::string second = second_name(name); !second.empty())
            candidates.push_back({directory / second, root});
    };
    if (fs::path(name).is_absolute()) {
        add({}, {});
    } else {
        if (quoted && !includer_directory.empty())
            add(includer_directory, "includer");
        for (const Root& root : roots_)
            add(root.path, root.name);
    }

    Resolution resolution;
    for (Found& candidate : candidates) {
        std::error_code error;
        // As written, not normalised: `absent/../x.h` is not found where `absent` is not there.
        const bool is_file =
            files.status(candidate.path, error).kind == base::FileKind::regular && !error;
        candidate.path = candidate.path.lexically_normal();
        if (!is_file) {
            if (!resolution.found)
                resolution.tried.push_back(std::move(candidate.path));
        } else if (!resolution.found) {
            resolution.found = std::move(candidate);
            if (!with_shadowed)
                break;
        } else if (candidate.path != resolution.found->path) {
            resolution.shadowed.push_back(std::move(candidate));
        }
    }
    return resolution;
}

std::optional<SearchPath::Logical> SearchPath::logical(const fs::path& path) const {
    const fs::path normal = path.lexically_normal();
    std::optional<Logical> best;
    for (const Root& root : roots_) {
        const auto below = path_below(root.path.native(), normal.native());
        if (below && (!best || below->size() < best->relative.size()))
            best = Logical{root.name, std::string(*below)};
    }
    return best;
}

} // namespace kiln::source
