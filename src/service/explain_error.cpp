// SPDX-License-Identifier: Apache-2.0
#include "service/obtain.h"
#include "source/header_graph.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

namespace kiln::service {
namespace {

namespace fs = std::filesystem;

/// `file:line` without the line.
fs::path file_of(std::string_view location) {
    const auto colon = location.rfind(':');
    return colon == std::string_view::npos ? location : location.substr(0, colon);
}

/// From the source down to `file`, one includer a line, by the static graph. The compiler does not
/// always say it; a chain that cannot be built is left out.
std::string include_chain(const Service::State& state, const compile::Job& job,
                          const fs::path& file) {
    try {
        const auto graph = source::scan_graph(job.source, source::SearchPath(job.roots),
                                              state.files, state.digests());
        std::map<fs::path, std::string> includer;
        for (const auto& node : graph.files) {
            if (!node.included_by.empty())
                includer.emplace(node.path, node.included_by.front());
        }
        std::string chain;
        fs::path at = file;
        // Bounded: a cycle of includes would walk for ever.
        for (std::size_t depth = 0; depth < graph.files.size(); ++depth) {
            const auto found = includer.find(at);
            if (found == includer.end())
                break;
            chain = fmt::format("  included from {}\n{}", found->second, chain);
            at = file_of(found->second);
        }
        return chain;
    } catch (const Error&) {
        return {};
    }
}

Error missing_header(const Service::State& state, const compile::Job& job, const Error& error) {
    const std::string header(error.context("header"));
    const std::string from(error.context("from"));
    const auto includer = from.empty() ? job.source : file_of(from);
    const source::SearchPath path(job.roots);
    const auto resolution = path.resolve(header, true, includer.parent_path(), state.files);
    std::string tried;
    for (const auto& place : resolution.tried)
        tried += fmt::format("  {}\n", place.string());
    std::string hint;
    for (const auto& near : path.suggestions(header, state.files))
        hint += fmt::format("{}{}", hint.empty() ? "did you mean " : ", ", near.string());
    if (hint.empty())
        hint = fmt::format("add its directory with -I or `include_path`; "
                           "`kiln which {}` shows the search",
                           header);
    Error result(ErrorCode::header_missing,
                 fmt::format("{} for {}: the header `{}` was not found{}", job.label,
                             job.target.str(), header, from.empty() ? "" : " (" + from + ")"),
                 hint);
    result = result.with("location", from).with("header", header).with("tried", tried);
    if (auto chain = include_chain(state, job, includer); !chain.empty())
        result = result.with("chain", chain);
    for (const auto& [label, value] : error.context())
        result = result.with(label, value);
    return result;
}

} // namespace

Error explain_error(const Service::State& state, const compile::Job& job, const Error& error) {
    if (error.code() == ErrorCode::header_missing && !error.context("header").empty())
        return missing_header(state, job, error).with("module", job.label);
    return error.with("module", job.label).with("target", job.target.str());
}

} // namespace kiln::service
