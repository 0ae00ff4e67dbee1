// SPDX-License-Identifier: Apache-2.0
#include "cache/inputs.h"

#include "source/search_path.h"

#include <algorithm>
#include <string_view>

namespace kiln::cache {

namespace {

namespace fs = std::filesystem;

// A name means one root only: the first that bears it.
bool name_was_before(std::span<const NamedRoot> roots, std::size_t index) {
    return std::any_of(roots.begin(), roots.begin() + static_cast<std::ptrdiff_t>(index),
                       [&](const NamedRoot& root) { return root.name == roots[index].name; });
}

/// Length of the longest directory that both paths lie in; 0 for `/`.
std::size_t common_directory(std::string_view a, std::string_view b) {
    const auto mismatch = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    auto length = static_cast<std::size_t>(mismatch.first - a.begin());
    const bool whole =
        (length == a.size() || a[length] == '/') && (length == b.size() || b[length] == '/');
    if (!whole)
        length = a.substr(0, length).rfind('/');
    return length == std::string_view::npos ? 0 : length;
}

std::string relative_to(std::string_view directory, std::string_view path, std::size_t common) {
    std::string up;
    const std::string_view below = directory.substr(common);
    for (auto count = std::count(below.begin(), below.end(), '/'); count > 0; --count)
        up += "../";
    return up + std::string(path.substr(common + 1));
}

std::vector<LogicalPath> names_beside(std::string_view path, std::span<const NamedRoot> roots) {
    constexpr std::string_view system_prefix = "/usr/";
    if (path.starts_with(system_prefix))
        return {};
    const std::string_view directory = path.substr(0, path.rfind('/'));
    std::size_t nearest = 0;
    for (std::size_t i = 0; i < roots.size(); ++i) {
        if (!name_was_before(roots, i))
            nearest = std::max(nearest, common_directory(roots[i].path.native(), directory));
    }
    std::vector<LogicalPath> names;
    for (std::size_t i = 0; nearest > 0 && i < roots.size(); ++i) {
        const std::string& root = roots[i].path.native();
        if (common_directory(root, directory) == nearest && !name_was_before(roots, i))
            names.push_back({roots[i].name, relative_to(root, path, nearest)});
    }
    return names;
}

} // namespace

std::string LogicalPath::str() const {
    return root == "/" ? '/' + relative : root + ':' + relative;
}

std::vector<LogicalPath> logical_names(const fs::path& path, std::span<const NamedRoot> roots) {
    const std::string_view text = path.native();
    std::vector<LogicalPath> names;
    for (std::size_t i = 0; i < roots.size(); ++i) {
        const auto below = source::path_below(roots[i].path.native(), text);
        if (!below || name_was_before(roots, i))
            continue;
        if (names.empty())
            names.push_back({roots[i].name, std::string(*below)});
        else if (below->size() < names.front().relative.size())
            names.front() = {roots[i].name, std::string(*below)};
    }
    if (names.empty())
        names = names_beside(text, roots);
    if (names.empty())
        names.push_back({"/", std::string(text.substr(std::min<std::size_t>(1, text.size())))});
    return names;
}

LogicalPath to_logical(const fs::path& path, std::span<const NamedRoot> roots) {
    return logical_names(path, roots).front();
}

fs::path to_path(const LogicalPath& name, std::span<const NamedRoot> roots) {
    if (name.root == "/")
        return fs::path('/' + name.relative);
    for (const NamedRoot& root : roots) {
        if (root.name == name.root)
            return name.relative.empty() ? root.path
                                         : fs::path(root.path.native() + '/' + name.relative);
    }
    return {};
}

base::Digest InputSet::key(const base::Digest& request) const {
    std::vector<LogicalPath> gaps;
    for (const AbsentNames& names : absent) {
        if (names.below.empty())
            gaps.push_back(names.missing);
        std::string_view rest = names.below;
        while (!rest.empty()) {
            const std::string_view name = rest.substr(0, rest.find('\0'));
            std::string relative = names.missing.relative;
            if (!relative.empty())
                relative += '/';
            gaps.push_back({names.missing.root, relative.append(name)});
            rest.remove_prefix(std::min(name.size() + 1, rest.size()));
        }
    }
    std::sort(gaps.begin(), gaps.end());

    const auto bytes = [](const base::Digest& digest) {
        return std::string_view(reinterpret_cast<const char*>(digest.bytes.data()),
                                digest.bytes.size());
    };
    base::Hasher hasher;
    hasher.field("request", bytes(request));
    hasher.field("files", files.size());
    for (const Input& file : files) {
        hasher.field("root", file.name.root);
        hasher.field("name", file.name.relative);
        hasher.field("content", bytes(file.digest));
    }
    hasher.field("absent", gaps.size());
    for (const LogicalPath& name : gaps) {
        hasher.field("root", name.root);
        hasher.field("name", name.relative);
    }
    return hasher.finish();
}

} // namespace kiln::cache
