// SPDX-License-Identifier: Apache-2.0
#include "source/header_graph.h"
#include "source/lookup_memo.h"
#include "source/opened_files.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace kiln::source {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_file = 256u << 20;

// As text: comparing paths means walking over their components.
std::vector<fs::path> sorted(std::vector<std::string> paths) {
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return {paths.begin(), paths.end()};
}

/// One run of `inputs_of`: from the source along the directives, as far as they lead to files that
/// were opened. Files go by the paths that the directives give them, for a compiler may report
/// others (GCC reports system headers with all links resolved), and quoted includes begin at the
/// directory of the path, not of the file.
class Completion {
  public:
    Completion(const SearchPath& path, base::FileSystem& files, std::int64_t started_ns)
        : path_(path), files_(files), started_ns_(started_ns), memo_(files), opened_(path, memo_) {}

    Inputs run(const fs::path& source, std::span<const fs::path> opened);

  private:
    struct Deferred {
        std::string file;
        IncludeDirective directive;
    };

    void report(const fs::path& path);
    void reach(const std::string& path, const FileId& id);
    void walk();
    void handle(const std::string& file, const IncludeDirective& directive);
    std::vector<LookupMemo::Search> searches(const std::string& includer,
                                             const IncludeDirective& directive);
    void include(const IncludeDirective& directive, const LookupMemo::Search& found);
    void probe(const LookupMemo::Search& found);
    void explain_the_rest();
    void look_before(const std::string& directory, std::string_view name);
    bool is_fresh(const base::FileStamp& stamp) const noexcept;
    void distrust(std::string reason);
    void keep_absent(const std::vector<std::string>& gaps) {
        absent_.insert(gaps.begin(), gaps.end());
    }

    const SearchPath& path_;
    base::FileSystem& files_;
    std::int64_t started_ns_;
    LookupMemo memo_;
    OpenedFiles opened_;
    std::vector<std::string> inputs_; ///< paths reached; those from `next_` are still to be read
    std::size_t next_ = 0;
    std::unordered_set<std::string> seen_; ///< inputs, then questions asked
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

void Completion::report(const fs::path& path) {
    if (path.is_absolute())
        opened_.report(path);
    else
        distrust(fmt::format("{} was opened under a relative name", path.string()));
}

/// A path that leads to an opened file.
void Completion::reach(const std::string& path, const FileId& id) {
    if (!seen_.insert(path).second)
        return;
    if (opened_.reach(path, id))
        inputs_.push_back(path);
    else
        distrust(fmt::format("{} is reached under too many names", path));
}

/// Reads every input that was not read yet, and those that it leads to.
void Completion::walk() {
    for (; next_ < inputs_.size(); ++next_) {
        const std::string path = inputs_[next_];
        std::error_code error;
        const std::vector<std::byte> bytes = files_.read(path, largest_file, error);
        if (error)
            throw Error(ErrorCode::io, fmt::format("cannot read {}: {}", path, error.message()), {},
                        {{"path", path}});
        Scan scan = scan_source({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        if (scan.truncated)
            distrust(fmt::format("{} has too many directives", path));
        probe_macros_.insert(scan.probe_macros.begin(), scan.probe_macros.end());
        for (IncludeDirective& directive : scan.directives) {
            if (directive.through.empty())
                handle(path, directive);
            else
                deferred_.push_back({path, std::move(directive)});
        }
    }
}

/// Where the compiler may have looked for a literal operand. `#include_next` begins after the root
/// that its file was found in, which is any root that holds it.
std::vector<LookupMemo::Search> Completion::searches(const std::string& includer,
                                                     const IncludeDirective& directive) {
    const bool quoted = directive.form == IncludeDirective::Form::quoted;
    const std::string_view directory = quoted ? parent_of(includer) : std::string_view{};
    std::vector<LookupMemo::Search> result;
    for (std::size_t i = 0; directive.next && i < path_.roots().size(); ++i) {
        if (path_below(path_.roots()[i].path.native(), includer))
            result.push_back(memo_.search(directive.name, {}, path_, i + 1));
    }
    if (result.empty())
        result.push_back(memo_.search(directive.name, directory, path_));
    return result;
}

void Completion::include(const IncludeDirective& directive, const LookupMemo::Search& found) {
    if (!found.hit) {
        // Not taken, or the compile would have failed, or the compiler knows more places.
        for (const OpenedFiles::File& file : opened_.elsewhere(directive.name)) {
            keep_absent(found.gaps);
            reach(file.path, file.id);
        }
        return;
    }
    if (opened_.has(found.hit->id)) {
        keep_absent(found.gaps);
        reach(found.hit->path, found.hit->id);
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

void Completion::handle(const std::string& includer, const IncludeDirective& directive) {
    if (directive.form == IncludeDirective::Form::computed) {
        if (!directive.probe)
            computed_.emplace_back(parent_of(includer));
        else if (directive.through.empty() || probe_macros_.count(directive.through) != 0)
            distrust(fmt::format(
                "{}:{}: the operand of {}({}) is a macro", includer, directive.line,
                directive.through.empty() ? "__has_include" : directive.through, directive.name));
        return;
    }
    // The same question from the same place has the same answer.
    std::string question(directive.probe ? "?" : "=");
    if (directive.next)
        question += includer;
    else if (directive.form == IncludeDirective::Form::quoted)
        question += parent_of(includer);
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

/// A place where a file would have been found instead.
void Completion::look_before(const std::string& directory, std::string_view name) {
    for (const std::string& candidate : {std::string(name), second_name(name)}) {
        if (candidate.empty())
            continue;
        const std::string path = directory + '/' + candidate;
        const base::FileStatus status = memo_.status(path);
        if (status.kind != base::FileKind::regular)
            absent_.insert(path);
        else if (is_fresh(status.stamp))
            distrust(fmt::format("{} appeared or changed during the compile", path));
    }
}

/// Files that came by a computed include, or by an option of the compiler: under each name that a
/// root gives them, what lies before.
void Completion::explain_the_rest() {
    std::sort(computed_.begin(), computed_.end());
    computed_.erase(std::unique(computed_.begin(), computed_.end()), computed_.end());
    const std::vector<Root>& roots = path_.roots();
    for (const OpenedFiles::File& file : opened_.all()) {
        if (opened_.is_explained(file.path))
            continue;
        for (std::size_t holder = 0; holder < roots.size(); ++holder) {
            const auto below = path_below(roots[holder].path.native(), file.path);
            if (!below)
                continue;
            for (const std::string& directory : computed_)
                look_before(directory, *below);
            for (std::size_t earlier = 0; earlier < holder; ++earlier)
                look_before(roots[earlier].path.native(), *below);
        }
    }
}

Inputs Completion::run(const fs::path& source, std::span<const fs::path> opened) {
    report(source);
    for (const fs::path& path : opened)
        report(path);
    if (source.is_absolute())
        reach(opened_.all().front().path, opened_.all().front().id);
    walk();
    // What no directive led to is read too: it may lead on.
    for (const OpenedFiles::File& file : opened_.all()) {
        if (!opened_.is_explained(file.path) && seen_.insert(file.path).second)
            inputs_.push_back(file.path);
        walk();
    }
    for (const Deferred& deferred : deferred_)
        handle(deferred.file, deferred.directive);
    walk();
    explain_the_rest();

    inputs_.insert(inputs_.end(), probed_.begin(), probed_.end());
    Inputs inputs;
    inputs.files = sorted(std::move(inputs_));
    inputs.absent = sorted({absent_.begin(), absent_.end()});
    inputs.incomplete = std::move(incomplete_);
    return inputs;
}

} // namespace

Inputs inputs_of(const fs::path& source, std::span<const fs::path> opened, const SearchPath& path,
                 base::FileSystem& files, std::int64_t started_ns) {
    return Completion(path, files, started_ns).run(source, opened);
}

} // namespace kiln::source
