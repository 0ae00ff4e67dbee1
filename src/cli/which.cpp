// SPDX-License-Identifier: Apache-2.0
#include "base/paths.h"
#include "cli/json_output.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "service/prepared.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace kiln::cli {
namespace {

struct Arguments {
    std::string header;
    std::string from;
};

/// Everything that any module of the catalog searches, in order, each directory once.
source::SearchPath whole_search_path(const Service::State& state) {
    std::vector<source::Root> roots = state.settings.include_path;
    const auto add = [&](source::Root root) {
        const bool known = std::any_of(roots.begin(), roots.end(),
                                       [&](const auto& other) { return other.path == root.path; });
        if (!known)
            roots.push_back(std::move(root));
    };
    for (const auto& module : state.catalog().modules()) {
        for (const auto& root : module.include_roots)
            add({root.name, root.path, false});
    }
    try {
        const auto usual = service::search_path(state, nullptr);
        for (const auto& root : usual.roots())
            add(root);
    } catch (const Error&) {
        // Without a toolkit the question can still be answered for the other roots.
    }
    return source::SearchPath(std::move(roots));
}

ExitCode which(Session& session, const Arguments& arguments) {
    const auto& state = session.state();
    const auto path = whole_search_path(state);
    std::filesystem::path includer;
    if (!arguments.from.empty())
        includer = base::absolute_path(arguments.from, ErrorCode::usage).parent_path();
    const auto resolution =
        path.resolve(arguments.header, !includer.empty(), includer, state.files, true);
    std::vector<std::string> tried;
    for (const auto& place : resolution.tried)
        tried.push_back(place.string());
    std::vector<std::string> suggestions;
    if (!resolution.found) {
        for (const auto& near : path.suggestions(arguments.header, state.files))
            suggestions.push_back(near.string());
    }
    if (session.options.json) {
        Json shadowed = Json::array();
        for (const auto& other : resolution.shadowed)
            shadowed.push_back({{"path", other.path.string()}, {"root", other.root}});
        print_json(
            {{"header", arguments.header},
             {"found", resolution.found ? Json(resolution.found->path.string()) : Json(nullptr)},
             {"root", resolution.found ? Json(resolution.found->root) : Json(nullptr)},
             {"tried", tried},
             {"shadowed", std::move(shadowed)},
             {"suggestions", suggestions}});
    } else {
        if (resolution.found) {
            fmt::print("{}\n  root: {}\n", styled(resolution.found->path.string(), Style::good),
                       resolution.found->root);
        } else {
            fmt::print("{} was not found\n", styled(arguments.header, Style::bad));
        }
        for (const auto& place : tried)
            fmt::print("  tried: {}\n", place);
        for (const auto& other : resolution.shadowed)
            fmt::print("  shadows: {} (root {})\n", other.path.string(), other.root);
        for (const auto& near : suggestions)
            fmt::print("  did you mean: {}\n", near);
        if (!resolution.found && path.roots().empty())
            fmt::print("  the search path is empty: add a directory with -I\n");
    }
    return resolution.found ? ExitCode::done : ExitCode::compile_failed;
}

} // namespace

void add_which(CLI::App& app, Session& session) {
    auto* verb =
        app.add_subcommand("which", "The file that an include resolves to, and everything tried");
    auto arguments = std::make_shared<Arguments>();
    verb->add_option("header", arguments->header, "As it stands in the #include")->required();
    verb->add_option("--from", arguments->from, "The file that includes it, in quotes")
        ->type_name("FILE");
    verb->callback([&session, arguments] {
        session.action = [&session, arguments] { return which(session, *arguments); };
    });
}

} // namespace kiln::cli
