// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "cache/state.h"

#include <kiln/error.h>

namespace kiln::cache {

namespace {

namespace fs = std::filesystem;

// Kiln makes no links: one that is here leads to what is not Kiln's.
bool is_link(const fs::path& path) {
    std::error_code error;
    return fs::is_symlink(fs::symlink_status(path, error));
}

/// Names in a folder that is none of a link's making.
std::vector<std::string> names_in(const fs::path& folder, base::FileSystem& files) {
    std::error_code error;
    if (is_link(folder))
        return {};
    return files.list(folder, error);
}

/// Removes the files of `folder` that `is_ours`; returns how many.
std::uint64_t remove_files(const fs::path& folder, base::FileSystem& files,
                           const std::function<bool(std::string_view)>& is_ours) {
    std::uint64_t removed = 0;
    for (const std::string& name : names_in(folder, files)) {
        const fs::path path = folder / name;
        std::error_code error;
        if (!is_ours(name) || is_link(path) ||
            files.status(path, error).kind != base::FileKind::regular)
            continue;
        files.remove(path, error);
        removed += error ? 0 : 1;
    }
    return removed;
}

/// The same for a folder of folders `00` to `ff`.
std::uint64_t remove_fanned(const fs::path& folder, base::FileSystem& files,
                            const std::function<bool(std::string_view)>& is_ours) {
    std::uint64_t removed = 0;
    for (const std::string& name : names_in(folder, files)) {
        if (is_hex(name, 2))
            removed += remove_files(folder / name, files, is_ours);
    }
    return removed;
}

} // namespace

void Cache::State::each_entry(
    const std::function<void(const fs::path& path, const std::string& target)>& visit) {
    if (!disk.readable())
        return;
    for (const std::string& target : names_in(disk.layout().base(), files)) {
        if (!is_target_folder(target))
            continue;
        const fs::path folder = disk.layout().base() / target;
        for (const std::string& fan : names_in(folder, files)) {
            if (!is_hex(fan, 2))
                continue;
            for (const std::string& name : names_in(folder / fan, files)) {
                if (is_entry_name(name) && !is_link(folder / fan / name))
                    visit(folder / fan / name, target);
            }
        }
    }
}

Statistics Cache::statistics() const {
    Statistics statistics;
    state_->each_entry([&](const fs::path& path, const std::string& target) {
        std::error_code error;
        const base::FileStatus status = state_->files.status(path, error);
        if (error || status.kind != base::FileKind::regular)
            return;
        ++statistics.entries;
        statistics.bytes += status.stamp.size;
        ++statistics.by_target[target];
    });
    statistics.counters = state_->counters.read();
    if (state_->disk.readable())
        statistics.counters = statistics.counters + read_counters(state_->disk);
    return statistics;
}

std::vector<EntryInfo> Cache::list() const {
    std::vector<EntryInfo> entries;
    state_->each_entry([&](const fs::path& path, const std::string&) {
        const auto bytes = state_->disk.read(path);
        if (!bytes)
            return;
        try {
            EntryInfo info{path, bytes->size(), decode_metadata(*bytes)};
            info.metadata.log.clear();
            info.metadata.ptx.clear();
            entries.push_back(std::move(info));
        } catch (const Error& error) {
            base::log().debug("{} is left out: {}", path.string(), error.message());
        }
    });
    return entries;
}

std::uint64_t Cache::clear() {
    state_->memory.clear();
    if (!state_->disk.readable())
        return 0;
    base::FileSystem& files = state_->files;
    const Layout& layout = state_->disk.layout();
    // First what leads to entries, so that no manifest outlives its entry.
    const auto is_digest = [](std::string_view name) { return is_hex(name, 64); };
    remove_fanned(layout.base() / "manifests", files, is_digest);
    remove_fanned(layout.base() / "latest", files, is_digest);
    remove_files(layout.digests(), files, [](std::string_view name) { return is_hex(name, 32); });
    remove_files(layout.quarantine(), files, [](std::string_view name) {
        return is_hex(name.substr(0, 64), 64) && name.find('.') != std::string_view::npos;
    });
    std::uint64_t removed = 0;
    for (const std::string& target : names_in(layout.base(), files)) {
        if (is_target_folder(target))
            removed += remove_fanned(layout.base() / target, files, is_entry_name);
    }
    return removed;
}

} // namespace kiln::cache
