// SPDX-License-Identifier: Apache-2.0
#include "source/opened_files.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace kiln::source {

namespace {

std::string last_component(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

} // namespace

OpenedFiles::OpenedFiles(const SearchPath& path, LookupMemo& memo) : memo_(memo) {
    for (const Root& root : path.roots()) {
        root_directories_.push_back(root.path.native());
        root_directories_.push_back(memo.resolved(root.path.native()));
    }
}

void OpenedFiles::report(const std::filesystem::path& path) {
    std::string normal = memo_.normalised(path.native());
    if (!reported_.insert(normal).second)
        return;
    const base::FileStatus status = memo_.status(normal);
    if (status.kind != base::FileKind::regular)
        throw Error(ErrorCode::io, fmt::format("{} was compiled and is no file any more", normal),
                    "do not move sources while they are compiled", {{"path", normal}});
    const FileId id{status.stamp.device, status.stamp.inode};
    by_last_.emplace(last_component(normal), files_.size());
    paths_.emplace(id, 0);
    files_.push_back({std::move(normal), id});
}

bool OpenedFiles::is_below_a_root(const std::string& path) const {
    return std::any_of(root_directories_.begin(), root_directories_.end(),
                       [&](const std::string& root) { return path_below(root, path); });
}

std::vector<OpenedFiles::File> OpenedFiles::elsewhere(const std::string& name) const {
    std::vector<File> found;
    const auto [begin, end] = by_last_.equal_range(last_component(name));
    for (auto place = begin; place != end; ++place) {
        const File& file = files_[place->second];
        if (file.path.ends_with('/' + name) && !is_below_a_root(file.path))
            found.push_back(file);
    }
    return found;
}

bool OpenedFiles::reach(const std::string& path, const FileId& id) {
    constexpr int most_paths = 16;
    if (++paths_[id] > most_paths)
        return false;
    explained_.insert(reported_.count(path) != 0 ? path : memo_.resolved(path));
    return true;
}

} // namespace kiln::source
