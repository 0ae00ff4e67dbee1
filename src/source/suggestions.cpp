// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "source/search_path.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

namespace kiln::source {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 200'000;
constexpr std::size_t deepest = 32;
constexpr std::chrono::seconds longest{1};

struct Candidate {
    /// Smaller is nearer: the whole name, then fewer common last components, then distance.
    std::size_t uncommon = 0;
    std::size_t distance = 0;
    std::size_t order = 0;
    fs::path path;

    auto rank() const { return std::tuple(uncommon, distance, order); }
};

/// Number of last components that both have.
std::size_t common_suffix(const std::vector<std::string_view>& a,
                          const std::vector<std::string_view>& b) {
    const auto mismatch = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    return static_cast<std::size_t>(mismatch.first - a.rbegin());
}

/// Keeps the best few of what the walk meets.
class Ranking {
  public:
    Ranking(std::string_view name, std::size_t limit)
        : wanted_(base::split(name, '/')),
          // A third of the name without its ending: `cfg.h` is not `cmp.h`.
          allowed_(std::max<std::size_t>(
              1, wanted_.back().substr(0, wanted_.back().rfind('.')).size() / 3)),
          limit_(limit) {}

    void consider(const fs::path& path) {
        const std::string_view text = path.native();
        const std::string_view last = text.substr(text.rfind('/') + 1);
        const std::string_view wanted = wanted_.back();
        Candidate candidate{0, 0, order_++, {}};
        if (last != wanted) {
            const std::size_t longer = std::max(last.size(), wanted.size());
            const std::size_t shorter = std::min(last.size(), wanted.size());
            if (longer - shorter > allowed_)
                return;
            candidate.distance = base::edit_distance(last, wanted);
            if (candidate.distance > allowed_)
                return;
            candidate.uncommon = wanted_.size();
        } else {
            candidate.uncommon = wanted_.size() - common_suffix(wanted_, base::split(text, '/'));
        }
        candidate.path = path;
        best_.insert(std::move(candidate));
        if (best_.size() > limit_)
            best_.erase(std::prev(best_.end()));
    }

    std::vector<fs::path> paths() const {
        std::vector<fs::path> result;
        for (const Candidate& candidate : best_)
            result.push_back(candidate.path);
        return result;
    }

  private:
    struct Nearer {
        bool operator()(const Candidate& a, const Candidate& b) const {
            return a.rank() < b.rank();
        }
    };
    std::vector<std::string_view> wanted_;
    std::size_t allowed_;
    std::size_t limit_;
    std::size_t order_ = 0;
    std::set<Candidate, Nearer> best_;
};

} // namespace

std::vector<fs::path> SearchPath::suggestions(std::string_view name, base::FileSystem& files,
                                              std::size_t limit) const {
    while (name.ends_with('/'))
        name.remove_suffix(1);
    if (name.empty() || limit == 0)
        return {};
    struct Directory {
        fs::path path;
        std::size_t depth;
    };
    // Breadth first, so that a bound cuts off what is deepest.
    std::deque<Directory> directories;
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    const auto enter = [&](const fs::path& path, const base::FileStatus& status,
                           std::size_t depth) {
        if (status.kind == base::FileKind::directory && depth <= deepest &&
            seen.insert({status.stamp.device, status.stamp.inode}).second)
            directories.push_back({path, depth});
    };
    std::error_code error;
    for (const Root& root : roots_)
        enter(root.path, files.status(root.path, error), 0);
    Ranking ranking(name, limit);
    const auto end = std::chrono::steady_clock::now() + longest;
    for (std::size_t count = 0; !directories.empty(); directories.pop_front()) {
        const Directory directory = directories.front();
        for (const std::string& entry : files.list(directory.path, error)) {
            if (++count > most_files || std::chrono::steady_clock::now() > end)
                return ranking.paths();
            const fs::path path = directory.path / entry;
            const base::FileStatus status = files.status(path, error);
            if (status.kind == base::FileKind::regular)
                ranking.consider(path);
            enter(path, status, directory.depth + 1);
        }
    }
    return ranking.paths();
}

} // namespace kiln::source
