// SPDX-License-Identifier: Apache-2.0
#include "cli/session.h"

#include <fmt/format.h>

#include <filesystem>

namespace kiln::cli {

std::map<std::string, std::string> parse_pairs(const std::vector<std::string>& texts,
                                               std::string_view option) {
    std::map<std::string, std::string> pairs;
    for (const auto& text : texts) {
        const auto equals = text.find('=');
        if (equals == 0 || equals == std::string::npos) {
            throw Error(ErrorCode::usage, fmt::format("`{} {}` is no NAME=VALUE", option, text),
                        fmt::format("write {} NAME=VALUE", option));
        }
        pairs[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return pairs;
}

Service Session::service() {
    if (service_)
        return *service_;
    ServiceOptions wanted;
    wanted.configurations = options.configurations;
    wanted.policies = options.policies;
    wanted.catalogs = options.catalogs;
    wanted.include_path = options.include_path;
    wanted.toolkit = options.toolkit;
    wanted.cache_directory = options.cache_directory;
    wanted.jobs = options.jobs;
    wanted.variables = parse_pairs(options.variables, "--variable");
    wanted.experiments = options.experiments;
    if (options.sealed)
        wanted.mode = Mode::sealed;
    if (options.strict)
        wanted.strict = true;
    const auto environment = base::Environment::of_process();
    service::ProjectAccess project;
    std::error_code error;
    project.directory = std::filesystem::current_path(error);
    project.trusted = options.trust_project;
    service_.emplace(std::make_shared<Service::State>(
        service::resolve_settings(wanted, environment, project), environment));
    return *service_;
}

} // namespace kiln::cli
