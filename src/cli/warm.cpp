// SPDX-License-Identifier: Apache-2.0
#include "cli/build_report.h"
#include "cli/json_output.h"
#include "cli/session.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <set>
#include <string_view>

namespace kiln::cli {
namespace {

struct Arguments {
    std::vector<std::string> modules;
    bool table = false;
};

/// The requests without those of modules that are declared for their plan alone.
std::vector<Request> compiled_here(Session& session, std::vector<Request> requests) {
    std::set<std::string_view> elsewhere;
    for (const auto& module : session.state().catalog().modules()) {
        if (module.source.empty())
            elsewhere.insert(module.name);
    }
    const auto left_out = std::erase_if(
        requests, [&](const Request& request) { return elsewhere.contains(request.module); });
    if (left_out > 0 && !session.options.quiet)
        fmt::print(stderr, "{} instances have no source in their catalog: compiled elsewhere\n",
                   left_out);
    return requests;
}

ExitCode warm(Session& session, const Arguments& arguments) {
    const auto service = session.service();
    std::vector<Request> requests;
    if (arguments.modules.empty())
        requests = compiled_here(session, service.requests());
    for (const auto& module : arguments.modules) {
        const auto more = service.requests(module);
        requests.insert(requests.end(), more.begin(), more.end());
    }
    const auto archs = session.archs();
    std::vector<std::pair<Request, ArchRequest>> pairs;
    for (const auto& request : requests) {
        for (const auto& arch : archs)
            pairs.emplace_back(request, arch);
    }
    const auto results = service.warm(pairs, progress_of(session.options));
    if (session.options.json) {
        print_json(to_json(results));
    } else {
        print_failures(results, session.options);
        if (arguments.table)
            fmt::print("{}", matrix_of(results, archs));
        if (!session.options.quiet)
            fmt::print("{}\n", summary_of(results));
    }
    return exit_code_of(results, session.options);
}

} // namespace

void add_warm(CLI::App& app, Session& session) {
    auto* verb = app.add_subcommand("warm", "Fill the cache with all that the policy allows");
    auto arguments = std::make_shared<Arguments>();
    verb->add_option("module", arguments->modules, "Modules; all without any");
    verb->add_flag("--table", arguments->table, "Show the result as a table, kernels x targets");
    verb->callback([&session, arguments] {
        session.action = [&session, arguments] { return warm(session, *arguments); };
    });
}

} // namespace kiln::cli
