// SPDX-License-Identifier: Apache-2.0
#include "cli/json_output.h"
#include "cli/session.h"
#include "cli/terminal.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace kiln::cli {
namespace {

ExitCode statistics(Session& session) {
    const auto found = session.state().cache().statistics();
    const auto& counters = found.counters;
    Json by_target = Json::object();
    for (const auto& [target, count] : found.by_target)
        by_target[target] = count;
    if (session.options.json) {
        print_json({{"directory", session.state().settings.cache_directory.value},
                    {"entries", found.entries},
                    {"bytes", found.bytes},
                    {"limit_bytes", found.limit_bytes},
                    {"hits",
                     {{"memory", counters.memory_hits},
                      {"disk", counters.disk_hits},
                      {"remote", counters.remote_hits}}},
                    {"misses", counters.misses},
                    {"compiles", counters.compiles},
                    {"evicted", counters.evicted},
                    {"quarantined", counters.quarantined},
                    {"by_target", std::move(by_target)}});
        return ExitCode::done;
    }
    fmt::print("{}\n", session.state().settings.cache_directory.value);
    Table table{{{{"entries"}, {fmt::format("{}", found.entries)}},
                 {{"bytes"}, {fmt::format("{}", found.bytes)}},
                 {{"hits"},
                  {fmt::format("{} memory, {} disk, {} remote", counters.memory_hits,
                               counters.disk_hits, counters.remote_hits)}},
                 {{"misses"}, {fmt::format("{}", counters.misses)}},
                 {{"compiles"}, {fmt::format("{}", counters.compiles)}},
                 {{"quarantined"}, {fmt::format("{}", counters.quarantined)}}}};
    for (const auto& [target, count] : found.by_target)
        table.rows.push_back({{target}, {fmt::format("{}", count)}});
    fmt::print("{}", table.str());
    return ExitCode::done;
}

ExitCode list(Session& session) {
    Json entries = Json::array();
    Table table{
        {{{"target"}, {"instance"}, {"bytes"}, {"toolkit"}, {"backend"}, {"kernels"}, {"key"}}}};
    for (const auto& entry : session.state().cache().list()) {
        const auto& metadata = entry.metadata;
        Json kernels = Json::array();
        for (const auto& kernel : metadata.kernels)
            kernels.push_back(kernel.symbol);
        table.rows.push_back({{metadata.target.str()},
                              {metadata.label, Style::strong},
                              {fmt::format("{}", entry.bytes)},
                              {metadata.toolkit},
                              {metadata.backend},
                              {fmt::format("{}", metadata.kernels.size())},
                              {metadata.key.substr(0, 12)}});
        entries.push_back({{"key", metadata.key},
                           {"target", metadata.target.str()},
                           {"instance", metadata.label},
                           {"path", entry.path.string()},
                           {"bytes", entry.bytes},
                           {"toolkit", metadata.toolkit},
                           {"backend", metadata.backend},
                           {"kernels", std::move(kernels)}});
    }
    if (session.options.json)
        print_json({{"entries", std::move(entries)}});
    else
        fmt::print("{}", table.str());
    return ExitCode::done;
}

ExitCode clear(Session& session) {
    const auto removed = session.state().cache().clear();
    if (session.options.json)
        print_json({{"removed", removed}});
    else if (!session.options.quiet)
        fmt::print("{} entries removed\n", removed);
    return ExitCode::done;
}

} // namespace

void add_cache(CLI::App& app, Session& session) {
    auto* verb = app.add_subcommand("cache", "What the cache holds");
    verb->require_subcommand(1);
    const auto add = [&](const char* name, const char* description, auto run) {
        verb->add_subcommand(name, description)->callback([&session, run] {
            session.action = [&session, run] { return run(session); };
        });
    };
    add("stats", "Entries, bytes, hits and misses", statistics);
    add("list", "Every entry", list);
    add("clear", "Remove every entry", clear);
}

} // namespace kiln::cli
