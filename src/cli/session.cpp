// SPDX-License-Identifier: Apache-2.0
#include "cli/session.h"

#include "base/log.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
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

std::vector<ArchRequest> Session::archs_or_none() {
    if (options.arch.empty() && state().settings.arch.empty())
        return {};
    return archs();
}

std::vector<ArchRequest> Session::archs() {
    std::string text = options.arch.empty() ? state().settings.arch.value : options.arch;
    const bool asked = !text.empty();
    if (!asked)
        text = "native";
    std::vector<ArchRequest> result;
    const auto add = [&](const ArchRequest& arch) {
        if (std::find(result.begin(), result.end(), arch) == result.end())
            result.push_back(arch);
    };
    std::string written;
    for (const auto part : base::split(text, ',')) {
        const auto word = base::trim(part);
        if (word == "all") {
            for (const auto& arch : service().all_archs())
                add(arch);
        } else if (word == "native") {
            const auto present = devices();
            if (present.devices.empty()) {
                throw Error(ErrorCode::unknown_arch,
                            fmt::format("{}: {}",
                                        asked ? "`native` needs a device" : "no arch was named",
                                        present.reason),
                            "name archs with --arch 9.0,12.0 or --arch all, KILN_ARCH=9.0, or "
                            "`arch: [\"9.0\"]` in a configuration");
            }
            for (const auto& device : present.devices) {
                ArchRequest arch;
                arch.target.capability = device.capability;
                add(arch);
            }
        } else {
            written += fmt::format("{}{}", written.empty() ? "" : ",", part);
        }
    }
    if (!written.empty()) {
        for (const auto& arch : ArchRequest::parse_list(written))
            add(arch);
    }
    return result;
}

} // namespace kiln::cli
