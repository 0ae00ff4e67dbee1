// SPDX-License-Identifier: Apache-2.0
#include "source/header_graph.h"
#include "source/lookup_memo.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace kiln::source {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_file = 256u << 20;

/// One run of `inputs_of`.
class Completion {
  public:
    Completion(const SearchPath& path, base::FileSystem& files, std::int64_t started_ns)
        : path_(path), files_(files), started_ns_(started_ns), memo_(files) {}

    Inputs run(const fs::path& source, std::span<const fs::path> opened);

  private:
    struct File {
        std::string path;
        bool explained = false; ///< some literal include leads to it
    };
    struct Deferred {
        std::size_t file;
        IncludeDirective directive;
    };

    void open(const fs::path& path);
    Scan read(const File& file);
    void handle(std::size_t file, const IncludeDirective& directive);
    std::vector<LookupMemo::Search> searches(const File& includer,
                                             const IncludeDirective& directive);
    void include(const IncludeDirective& directive, const LookupMemo::Search& found);
    void probe(const LookupMemo::Search& found);
    void explain_the_rest();
    void look_before(const std::string& candidate);
    bool opened_elsewhere(const std::string& name);
    bool is_fresh(const base::FileStamp& stamp) const noexcept;
    void distrust(std::string reason);
    void keep_absent(const std::vector<std::string>& gaps) {
        absent_.insert(gaps.begin(), gaps.end());
    }
    std::string directory_of(const File& file) const {
        return file.path.substr(0, file.path.rfind('/'));
    }

    const SearchPath& path_;
    base::FileSystem& files_;
    std::int64_t started_ns_;
    LookupMemo memo_;
    std::vector<File> opened_;
    std::multimap<FileId, std::size_t> by_id_;
    std::unordered_multimap<std::string, std::size_t> by_last_; ///< last component
    std::unordered_set<std::string> seen_; ///< opened paths, then directives looked up
    std::unordered_set<std::string> absent_;
    std::vector<std::string> probed_;   ///< found by `__has_include`
    std::vector<std::string> computed_; ///< directories of files with computed includes
    std::vector<Deferred> deferred_;    ///< until all probe macros are known
    std::unordered_set<std::string> probe_macros_;
    std::string incomplete_;
};

void Completion::distrust(std::string reason) {
    if (incomplete_.empty())
        incomplete_ = std::move(reason);
}

bool Completion::is_fresh(const base::FileStamp& stamp) const noexcept {
    return std::max(stamp.mtime_ns, stamp.ctime_ns) >= started_ns_;
}

void Completion::open(const fs::path& path) {
    if (!path.is_absolute()) {
        distrust(fmt::format("{} was opened under a relative name", path.string()));
        return;
    }
    std::string normal = memo_.normalised(path.native());
    if (!seen_.insert(normal).second)
        return;
    const base::FileStatus status = memo_.status(normal);
    if (status.kind != base::FileKind::regular)
        throw Error(ErrorCode::io, fmt::format("{} was compiled and is no file any more", normal),
                    "do not move sources while they are compiled", {{"path", normal}});
    by_id_.emplace(FileId{status.stamp.device, status.stamp.inode}, opened_.size());
    by_last_.emplace(normal.substr(normal.rfind('/') + 1), opened_.size());
    opened_.push_back({std::move(normal), false});
}

Scan Completion::read(const File& file) {
    std::error_code error;
    const std::vector<std::byte> bytes = files_.read(file.path, largest_file, error);
    if (error)
        throw Error(ErrorCode::io, fmt::format("cannot read {}: {}", file.path, error.message()),
                    {}, {{"path", file.path}});
    return scan_source({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// Where the compiler may have looked for a literal operand. `#include_next` begins after the root
/// that its file was found in, which is any root that holds it.
std::vector<LookupMemo::Search> Completion::searches(const File& includer,
                                                     const IncludeDirective& directive) {
    const bool quoted = directive.form == IncludeDirective::Form::quoted;
    const std::string directory = quoted ? directory_of(includer) : std::string{};
    std::vector<LookupMemo::Search> result;
    for (std::size_t i = 0; directive.next && i < path_.roots().size(); ++i) {
        if (path_below(path_.roots()[i].path.native(), includer.path))
            result.push_back(memo_.search(directive.name, {}, path_, i + 1));
    }
    if (result.empty())
        result.push_back(memo_.search(directive.name, directory, path_));
    return result;
}

/// Host compilers have directories of their own behind the search path.
bool Completion::opened_elsewhere(const std::string& name) {
    const auto [begin, end] = by_last_.equal_range(name.substr(name.rfind('/') + 1));
    bool found = false;
    for (auto place = begin; place != end; ++place) {
        File& file = opened_[place->second];
        if (file.path.ends_with('/' + name))
            found = file.explained = true;
    }
    return found;
}

void Completion::include(const IncludeDirective& directive, const LookupMemo::Search& found) {
    if (!found.hit) {
        // Not taken, or the compile would have failed.
        if (opened_elsewhere(directive.name))
            keep_absent(found.gaps);
        return;
    }
    const auto [begin, end] = by_id_.equal_range(found.hit->id);
    if (begin != end) {
        keep_absent(found.gaps);
        for (auto place = begin; place != end; ++place)
            opened_[place->second].explained = true;
    } else if (is_fresh(found.hit->stamp)) {
        distrust(fmt::format("{} appeared or changed during the compile", found.hit->path));
    }
}

void Completion::probe(const LookupMemo::Search& found) {
    keep_absent(found.gaps);
    if (!found.hit)
        return;
    probed_.push_back(found.hit->path);
    if (is_fresh(found.hit->stamp))
        distrust(fmt::format("{} appeared or changed during the compile", found.hit->path));
}

void Completion::handle(std::size_t file, const IncludeDirective& directive) {
    const File& includer = opened_[file];
    if (directive.form == IncludeDirective::Form::computed) {
        if (!directive.probe)
            computed_.push_back(directory_of(includer));
        else if (directive.through.empty() || probe_macros_.count(directive.through) != 0)
            distrust(fmt::format("{}:{}: the operand of {}({}) is a macro", includer.path,
                                 directive.line,
                                 directive.through.empty() ? "__has_include" : directive.through,
                                 directive.name));
        return;
    }
    // The same question from the same place has the same answer.
    std::string question(directive.probe ? "?" : "=");
    if (directive.next)
        question += includer.path;
    else if (directive.form == IncludeDirective::Form::quoted)
        question += directory_of(includer);
    question += '\0';
    question += directive.name;
    if (!seen_.insert(std::move(question)).second)
        return;
    for (const LookupMemo::Search& found : searches(includer, directive)) {
        if (directive.probe)
            probe(found);
        else
            include(directive, found);
    }
}

void Completion::look_before(const std::string& candidate) {
    const base::FileStatus status = memo_.status(candidate);
    if (status.kind != base::FileKind::regular)
        absent_.insert(candidate);
    else if (is_fresh(status.stamp))
        distrust(fmt::format("{} appeared or changed during the compile", candidate));
}

/// Files that came by a computed include, or by an option of the compiler: under each name that a
/// root gives them, what lies before.
void Completion::explain_the_rest() {
    std::sort(computed_.begin(), computed_.end());
    computed_.erase(std::unique(computed_.begin(), computed_.end()), computed_.end());
    const std::vector<Root>& roots = path_.roots();
    for (std::size_t i = 1; i < opened_.size(); ++i) { // the source is first and needs no cause
        if (opened_[i].explained)
            continue;
        for (std::size_t holder = 0; holder < roots.size(); ++holder) {
            const auto below = path_below(roots[holder].path.native(), opened_[i].path);
            if (!below)
                continue;
            for (const std::string& directory : computed_)
                look_before(directory + '/' + std::string(*below));
            for (std::size_t earlier = 0; earlier < holder; ++earlier)
                look_before(roots[earlier].path.native() + '/' + std::string(*below));
        }
    }
}

Inputs Completion::run(const fs::path& source, std::span<const fs::path> opened) {
    open(source);
    for (const fs::path& path : opened)
        open(path);
    for (std::size_t i = 0; i < opened_.size(); ++i) {
        Scan scan = read(opened_[i]);
        if (scan.truncated)
            distrust(fmt::format("{} has too many directives", opened_[i].path));
        probe_macros_.insert(scan.probe_macros.begin(), scan.probe_macros.end());
        for (IncludeDirective& directive : scan.directives) {
            if (directive.through.empty())
                handle(i, directive);
            else
                deferred_.push_back({i, std::move(directive)});
        }
    }
    for (const Deferred& deferred : deferred_)
        handle(deferred.file, deferred.directive);
    explain_the_rest();

    Inputs inputs;
    for (const File& file : opened_)
        inputs.files.emplace_back(file.path);
    inputs.files.insert(inputs.files.end(), probed_.begin(), probed_.end());
    std::sort(inputs.files.begin(), inputs.files.end());
    inputs.files.erase(std::unique(inputs.files.begin(), inputs.files.end()), inputs.files.end());
    inputs.absent.assign(absent_.begin(), absent_.end());
    std::sort(inputs.absent.begin(), inputs.absent.end());
    inputs.incomplete = std::move(incomplete_);
    return inputs;
}

} // namespace

Inputs inputs_of(const fs::path& source, std::span<const fs::path> opened, const SearchPath& path,
                 base::FileSystem& files, std::int64_t started_ns) {
    return Completion(path, files, started_ns).run(source, opened);
}

} // namespace kiln::source
