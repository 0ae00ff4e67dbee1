// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "cli/json_output.h"
#include "cli/session.h"
#include "cli/terminal.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace kiln::cli {
namespace {

Json module_json(const catalog::Catalog& catalog, const catalog::Module& module) {
    Json parameters = Json::object();
    for (const auto& parameter : module.parameters)
        parameters[parameter.name] = parameter.values;
    Json instances = Json::array();
    for (const auto& instance : catalog.instances(module))
        instances.push_back(instance.name());
    Json roots = Json::array();
    for (const auto& root : module.include_roots)
        roots.push_back({{"name", root.name}, {"path", root.path.string()}});
    return {{"module", module.name},
            {"description", module.description},
            {"source", module.source.string()},
            {"origin", module.origin.str()},
            {"tags", module.tags},
            {"parameters", std::move(parameters)},
            {"include_roots", std::move(roots)},
            {"instances", std::move(instances)}};
}

ExitCode show(Session& session) {
    const auto& catalog = session.state().catalog();
    if (session.options.json) {
        Json list = Json::array();
        for (const auto& module : catalog.modules())
            list.push_back(module_json(catalog, module));
        print_json({{"modules", std::move(list)}});
        return ExitCode::done;
    }
    Table table{{{{"module"}, {"instances"}, {"parameters"}, {"description"}}}};
    for (const auto& module : catalog.modules()) {
        std::string parameters;
        for (const auto& parameter : module.parameters) {
            parameters += fmt::format("{}{}={}", parameters.empty() ? "" : " ", parameter.name,
                                      base::join(parameter.values, "|"));
        }
        table.rows.push_back({{module.name, Style::strong},
                              {fmt::format("{}", catalog.instances(module).size())},
                              {parameters.empty() ? "-" : parameters},
                              {module.description}});
    }
    fmt::print("{}", table.str());
    return ExitCode::done;
}

} // namespace

void add_modules(CLI::App& app, Session& session) {
    auto* verb = app.add_subcommand("modules", "The catalog: modules, parameters, instances");
    verb->callback([&session] { session.action = [&session] { return show(session); }; });
}

} // namespace kiln::cli
