// SPDX-License-Identifier: Apache-2.0
#include "source/lookup_memo.h"

#include <utility>

namespace kiln::source {

namespace {

namespace fs = std::filesystem;

bool has_dots(std::string_view path) {
    return path.find("/.") != std::string_view::npos || path.find("//") != std::string_view::npos;
}

} // namespace

std::string_view parent_of(std::string_view path) noexcept {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

base::FileStatus LookupMemo::status(const std::string& path) {
    if (const auto known = known_.find(path); known != known_.end())
        return known->second;
    base::FileStatus found;
    std::error_code error;
    const std::string_view parent = parent_of(path);
    if (parent.empty() || directory_exists(parent))
        found = files_.status(path, error);
    known_.emplace(path, found);
    return found;
}

bool LookupMemo::directory_exists(std::string_view path) {
    std::string key(path);
    if (const auto known = directories_.find(key); known != directories_.end())
        return known->second;
    const std::string_view parent = parent_of(path);
    std::error_code error;
    const bool exists = (parent.empty() || directory_exists(parent)) &&
                        files_.status(key, error).kind == base::FileKind::directory;
    directories_.emplace(std::move(key), exists);
    return exists;
}

std::string LookupMemo::normalised(const std::string& path) {
    if (!has_dots(path))
        return path;
    std::string normal = fs::path(path).lexically_normal().native();
    const base::FileStatus as_written = status(path);
    const base::FileStatus as_normal = status(normal);
    const bool same = as_written.kind == as_normal.kind &&
                      as_written.stamp.device == as_normal.stamp.device &&
                      as_written.stamp.inode == as_normal.stamp.inode;
    return same ? normal : path;
}

std::string LookupMemo::resolved(const std::string& path) {
    std::error_code error;
    if (fs::is_symlink(fs::symlink_status(path, error))) {
        const fs::path whole = fs::canonical(path, error);
        return error ? path : whole.native();
    }
    const std::string_view parent = parent_of(path);
    const auto [place, is_new] = resolved_.try_emplace(std::string(parent));
    if (is_new && !parent.empty()) {
        const fs::path directory = fs::canonical(parent, error);
        place->second = error ? std::string(parent) : directory.native();
    }
    return place->second + path.substr(parent.size());
}

LookupMemo::Search LookupMemo::search(std::string_view name, std::string_view directory,
                                      const SearchPath& path, std::size_t first_root) {
    Search result;
    const std::string second = second_name(name);
    const auto is_there = [&](std::string_view below, std::string_view file) {
        std::string candidate;
        candidate.reserve(below.size() + 1 + file.size());
        candidate.append(below);
        if (!below.empty() && !below.ends_with('/'))
            candidate += '/';
        candidate += file;
        const base::FileStatus found = status(candidate);
        std::string normal = normalised(candidate);
        if (found.kind != base::FileKind::regular) {
            result.gaps.push_back(std::move(normal));
            return false;
        }
        result.hit = Hit{std::move(normal), {found.stamp.device, found.stamp.inode}, found.stamp};
        return true;
    };
    // Whether the search is over.
    const auto look = [&](std::string_view below) {
        return is_there(below, name) || (!second.empty() && is_there(below, second));
    };
    if (name.starts_with('/')) {
        look({});
        return result;
    }
    if (!directory.empty() && look(directory))
        return result;
    for (std::size_t i = first_root; i < path.roots().size(); ++i) {
        if (look(path.roots()[i].path.native()))
            break;
    }
    return result;
}

} // namespace kiln::source
