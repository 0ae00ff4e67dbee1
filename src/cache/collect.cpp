// SPDX-License-Identifier: Apache-2.0
#include "cache/inputs.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <set>
#include <string_view>
#include <thread>

namespace kiln::cache {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t second_ns = 1'000'000'000;

// The kernel stamps files with the time of its last clock tick (or, since Linux 6.13, with a later
// one): who compares must read that clock.
std::int64_t file_clock_ns() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return std::int64_t{now.tv_sec} * second_ns + now.tv_nsec;
}

/// The last moment at which a file with this stamp may have been written.
std::int64_t last_write(const base::FileStamp& stamp) noexcept {
    const std::int64_t latest = std::max(stamp.mtime_ns, stamp.ctime_ns);
    const bool whole_seconds = stamp.mtime_ns % second_ns == 0 && stamp.ctime_ns % second_ns == 0;
    return whole_seconds ? latest + second_ns - 1 : latest;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> identities(std::span<const NamedRoot> roots,
                                                                base::FileSystem& files) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> result;
    for (const NamedRoot& root : roots) {
        std::error_code error;
        const base::FileStamp stamp = files.status(root.path, error).stamp;
        result.emplace_back(stamp.device, stamp.inode);
    }
    return result;
}

/// Groups absent names below the topmost directory that is not there.
class AbsentGroups {
  public:
    AbsentGroups(std::span<const NamedRoot> roots, base::FileSystem& files)
        : roots_(roots), files_(files) {}

    void add(const LogicalPath& name) {
        LogicalPath directory{name.root, {}};
        for (std::size_t slash = 0;; ++slash) {
            const base::FileKind kind = kind_of(directory);
            if (kind == base::FileKind::absent) {
                groups_[{directory, true}].insert(
                    directory.relative.empty() ? name.relative : name.relative.substr(slash));
                return;
            }
            slash = name.relative.find('/', slash);
            if (kind != base::FileKind::directory || slash == std::string::npos)
                break;
            directory.relative = name.relative.substr(0, slash);
        }
        groups_[{name, false}];
    }

    std::vector<AbsentNames> take() const {
        std::vector<AbsentNames> result;
        for (const auto& [key, names] : groups_) {
            AbsentNames group{key.first, {}};
            for (const std::string& name : names)
                group.below.append(name).push_back('\0');
            result.push_back(std::move(group));
        }
        return result;
    }

  private:
    base::FileKind kind_of(const LogicalPath& directory) {
        const auto [place, is_new] = kinds_.try_emplace(directory, base::FileKind::absent);
        std::error_code error;
        if (is_new)
            place->second = files_.status(to_path(directory, roots_), error).kind;
        // What cannot be looked at is not known to be absent.
        if (is_new && error)
            place->second = base::FileKind::other;
        return place->second;
    }

    std::span<const NamedRoot> roots_;
    base::FileSystem& files_;
    std::map<LogicalPath, base::FileKind> kinds_;
    std::map<std::pair<LogicalPath, bool>, std::set<std::string>> groups_;
};

} // namespace

CompileStart mark_compile_start(const Request& request, base::FileSystem& files) {
    constexpr std::chrono::milliseconds longest{50};
    CompileStart start{0, identities(request.roots, files)};
    // No stamp that a file has by now is later than this.
    const std::int64_t now = base::wall_clock_ns();
    const auto limit = std::chrono::steady_clock::now() + longest;
    while ((start.time_ns = file_clock_ns()) <= now && std::chrono::steady_clock::now() < limit)
        std::this_thread::sleep_for(std::chrono::microseconds(300));
    return start;
}

Collected collect_inputs(std::span<const fs::path> files, std::span<const fs::path> absent,
                         const Request& request, const CompileStart& start,
                         base::FileSystem& file_system, base::DigestCache& digests) {
    Collected result;
    const auto changed = [&](const std::string& what, std::string_view how) {
        if (result.changed.empty())
            result.changed = fmt::format("{} {} during the compile", what, how);
    };
    const auto now = identities(request.roots, file_system);
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (i >= start.roots.size() || now[i] != start.roots[i])
            changed(request.roots[i].path.string(), "was replaced");
    }

    for (const fs::path& path : files) {
        const auto entry = digests.digest(path);
        if (!entry)
            throw Error(ErrorCode::io,
                        fmt::format("{} was compiled and cannot be read any more", path.string()),
                        "do not move sources while they are compiled", {{"path", path.string()}});
        for (LogicalPath& name : logical_names(path, request.roots)) {
            if (last_write(entry->stamp) >= start.time_ns)
                changed(name.str(), "was written");
            result.inputs.files.push_back(
                {std::move(name), entry->digest, entry->stamp, entry->settled});
        }
    }
    std::sort(result.inputs.files.begin(), result.inputs.files.end(),
              [](const Input& a, const Input& b) { return a.name < b.name; });

    AbsentGroups groups(request.roots, file_system);
    for (const fs::path& path : absent) {
        std::error_code error;
        if (file_system.status(path, error).kind == base::FileKind::regular)
            changed(to_logical(path, request.roots).str(), "appeared");
        for (const LogicalPath& name : logical_names(path, request.roots))
            groups.add(name);
    }
    result.inputs.absent = groups.take();
    return result;
}

} // namespace kiln::cache
