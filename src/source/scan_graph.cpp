// SPDX-License-Identifier: Apache-2.0
#include "source/header_graph.h"
#include "source/lookup_memo.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace kiln::source {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_file = 256u << 20;
constexpr std::size_t most_files = 100'000;

/// One walk from a source over all that it may include.
class Walk {
  public:
    Walk(const SearchPath& path, base::FileSystem& files, base::DigestCache& digests)
        : path_(path), files_(files), digests_(digests), memo_(files) {}

    HeaderGraph run(const fs::path& source);

  private:
    std::optional<std::size_t> index_of(const std::string& path, const std::string& name);
    void scan(std::size_t file);
    void follow(std::size_t file, const IncludeDirective& directive);

    const SearchPath& path_;
    base::FileSystem& files_;
    base::DigestCache& digests_;
    LookupMemo memo_;
    std::unordered_map<std::string, std::size_t> known_;
    std::unordered_set<std::string> absent_;
    HeaderGraph graph_;
};

std::optional<std::size_t> Walk::index_of(const std::string& path, const std::string& name) {
    if (const auto known = known_.find(path); known != known_.end())
        return known->second;
    if (graph_.files.size() == most_files) {
        graph_.truncated = true;
        return std::nullopt;
    }
    known_.emplace(path, graph_.files.size());
    GraphFile& file = graph_.files.emplace_back();
    file.name = name;
    file.path = path;
    if (const auto digest = digests_.digest(file.path))
        file.digest = digest->digest;
    return graph_.files.size() - 1;
}

void Walk::follow(std::size_t file, const IncludeDirective& directive) {
    if (directive.form == IncludeDirective::Form::computed)
        return;
    const std::string includer = graph_.files[file].path.native();
    const bool quoted = directive.form == IncludeDirective::Form::quoted;
    std::size_t first_root = 0;
    for (std::size_t i = 0; directive.next && first_root == 0 && i < path_.roots().size(); ++i)
        first_root = path_below(path_.roots()[i].path.native(), includer) ? i + 1 : 0;
    const LookupMemo::Search found = memo_.search(
        directive.name, quoted && first_root == 0 ? includer.substr(0, includer.rfind('/')) : "",
        path_, first_root);
    if (found.hit || directive.probe)
        absent_.insert(found.gaps.begin(), found.gaps.end());
    if (directive.probe)
        return;
    const std::string from = fmt::format("{}:{}", includer, directive.line);
    if (!found.hit) {
        graph_.missing.push_back(
            {directive.name, from, directive.condition, {found.gaps.begin(), found.gaps.end()}});
        return;
    }
    if (const auto index = index_of(found.hit->path, directive.name)) {
        graph_.files[*index].included_by.push_back(from);
        std::vector<std::size_t>& includes = graph_.files[file].includes;
        if (std::find(includes.begin(), includes.end(), *index) == includes.end())
            includes.push_back(*index);
    }
}

void Walk::scan(std::size_t file) {
    std::error_code error;
    const std::vector<std::byte> bytes = files_.read(graph_.files[file].path, largest_file, error);
    if (error && file == 0)
        throw Error(ErrorCode::source_missing,
                    fmt::format("cannot read the source {}: {}", graph_.files[0].path.string(),
                                error.message()),
                    "check the path", {{"path", graph_.files[0].path.string()}});
    const Scan result = scan_source({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    graph_.truncated = graph_.truncated || error || result.truncated;
    for (const IncludeDirective& directive : result.directives)
        follow(file, directive);
}

HeaderGraph Walk::run(const fs::path& source) {
    const std::string path = memo_.normalised(source.native());
    index_of(path, source.filename().string());
    for (std::size_t i = 0; i < graph_.files.size(); ++i)
        scan(i);
    // Sorted as text: comparing paths means walking over their components.
    std::vector<std::string> absent(absent_.begin(), absent_.end());
    std::sort(absent.begin(), absent.end());
    graph_.absent.assign(absent.begin(), absent.end());
    return std::move(graph_);
}

} // namespace

HeaderGraph scan_graph(const fs::path& source, const SearchPath& path, base::FileSystem& files,
                       base::DigestCache& digests) {
    return Walk(path, files, digests).run(source);
}

} // namespace kiln::source
