// SPDX-License-Identifier: Apache-2.0
#include "base/paths.h"
#include "cli/json_output.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "service/prepared.h"
#include "source/header_graph.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <set>

namespace kiln::cli {
namespace {

struct Arguments {
    std::string subject;
    std::string format = "tree";
};

void print_tree(const source::HeaderGraph& graph, std::size_t index, std::size_t depth,
                std::set<std::size_t>& shown) {
    const auto& file = graph.files[index];
    const bool again = !shown.insert(index).second;
    fmt::print("{:{}}{}{}\n", "", depth * 2, file.name,
               again && !file.includes.empty() ? styled("  (above)", Style::faint)
                                               : styled("  " + file.path.string(), Style::faint));
    if (again)
        return;
    for (const auto next : file.includes)
        print_tree(graph, next, depth + 1, shown);
}

/// A name inside double quotes of dot's language.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + '"';
}

void print_dot(const source::HeaderGraph& graph) {
    fmt::print("digraph headers {{\n  rankdir=LR;\n  node [shape=box];\n");
    for (const auto& file : graph.files) {
        for (const auto next : file.includes) {
            fmt::print("  {} -> {};\n", quoted(file.name), quoted(graph.files[next].name));
        }
    }
    fmt::print("}}\n");
}

Json graph_json(const source::HeaderGraph& graph) {
    Json files = Json::array();
    for (const auto& file : graph.files) {
        files.push_back({{"name", file.name},
                         {"path", file.path.string()},
                         {"digest", file.digest.hex()},
                         {"included_by", file.included_by}});
    }
    Json missing = Json::array();
    for (const auto& one : graph.missing) {
        Json tried = Json::array();
        for (const auto& place : one.tried)
            tried.push_back(place.string());
        missing.push_back({{"name", one.name}, {"from", one.from}, {"tried", std::move(tried)}});
    }
    Json absent = Json::array();
    for (const auto& place : graph.absent)
        absent.push_back(place.string());
    return {{"files", std::move(files)},
            {"missing", std::move(missing)},
            {"absent", std::move(absent)}};
}

ExitCode show(Session& session, const Arguments& arguments) {
    const auto& state = session.state();
    std::filesystem::path source;
    source::SearchPath path;
    std::error_code error;
    if (std::filesystem::is_regular_file(arguments.subject, error)) {
        source = base::absolute_path(arguments.subject, ErrorCode::usage).lexically_normal();
        path = service::search_path(state, nullptr);
    } else {
        Request request;
        request.module = arguments.subject;
        const auto asked = service::ask(state, request);
        source = asked.instance.module->source;
        path = service::search_path(state, &asked.instance);
    }
    const auto graph = source::scan_graph(source, path, state.files, state.digests());
    if (session.options.json || arguments.format == "json") {
        print_json(graph_json(graph));
    } else if (arguments.format == "dot") {
        print_dot(graph);
    } else {
        std::set<std::size_t> shown;
        print_tree(graph, 0, 0, shown);
        fmt::print("{} files", graph.files.size());
        fmt::print("; conditions are not evaluated, so not each is read in every compile\n");
        for (const auto& one : graph.missing)
            fmt::print("{} {} (from {})\n", styled("not found:", Style::warning), one.name,
                       one.from);
    }
    return ExitCode::done;
}

} // namespace

void add_graph(CLI::App& app, Session& session) {
    auto* verb = app.add_subcommand("graph", "The header graph of a module or file");
    auto arguments = std::make_shared<Arguments>();
    verb->add_option("subject", arguments->subject, "Module or source file")->required();
    verb->add_option("--format", arguments->format, "tree, dot or json")
        ->check(CLI::IsMember({"tree", "dot", "json"}));
    verb->callback([&session, arguments] {
        session.action = [&session, arguments] { return show(session, *arguments); };
    });
}

} // namespace kiln::cli
