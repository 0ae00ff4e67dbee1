// SPDX-License-Identifier: Apache-2.0
#include "service/settings.h"

#include "base/file_system.h"
#include "base/paths.h"
#include "base/text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace kiln::service {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
    std::error_code error;
    return base::real_file_system().status(path, error).kind == base::FileKind::regular;
}

/// Why a file in the working directory may not be read, or empty: it must belong to the user or
/// root, and nobody else may be able to write it.
std::string distrust(const fs::path& path) {
    std::error_code error;
    const auto status = base::real_file_system().status(path, error);
    if (status.owner != ::geteuid() && status.owner != 0)
        return fmt::format("{} belongs to another user", path.string());
    if ((status.mode & 0022) != 0)
        return fmt::format("{} can be written by others", path.string());
    return {};
}

void apply_directory(Settings& settings, const fs::path& directory, policy::Layer layer) {
    if (directory.empty())
        return;
    if (const auto file = directory / "config.yaml"; is_file(file))
        apply_configuration(settings, file, true);
    if (const auto file = directory / "policy.yaml"; is_file(file))
        settings.policies.push_back({layer, file, std::nullopt});
}

void apply_project(Settings& settings, const ProjectAccess& project) {
    if (project.directory.empty())
        return;
    for (const char* name : {"kiln.yaml", "kiln.policy.yaml"}) {
        const auto file = project.directory / name;
        if (!is_file(file))
            continue;
        if (auto reason = distrust(file); !reason.empty()) {
            settings.refused.push_back(std::move(reason));
            continue;
        }
        if (file.filename() == "kiln.yaml")
            apply_configuration(settings, file, project.trusted);
        else
            settings.policies.push_back({policy::Layer::project, file, std::nullopt});
    }
}

void add_roots(Settings& settings, std::span<const std::string> directories,
               std::string_view prefix) {
    std::vector<source::Root> roots;
    for (const auto& directory : directories) {
        roots.push_back({fmt::format("{}{}", prefix, roots.size()),
                         base::absolute_path(directory, ErrorCode::usage).lexically_normal(),
                         false});
    }
    settings.include_path.insert(settings.include_path.begin(), roots.begin(), roots.end());
}

std::vector<std::string> path_list(const std::string& text) {
    std::vector<std::string> result;
    for (const auto part : base::split(text, ':')) {
        if (!part.empty())
            result.emplace_back(part);
    }
    return result;
}

template <typename Names>
void add_experiments(Settings& settings, const Names& names) {
    for (const auto& name : names) {
        if (const auto trimmed = base::trim(name); !trimmed.empty())
            settings.experiments.emplace_back(trimmed);
    }
}

unsigned parse_jobs(const std::string& text, const std::string& origin) {
    const auto number = base::parse_unsigned(text);
    if (!number || *number < 1 || *number > 1024) {
        throw Error(ErrorCode::configuration, fmt::format("`{}` is no number of jobs", text),
                    "write 1 to 1024", {{"location", origin}});
    }
    return static_cast<unsigned>(*number);
}

void apply_environment(Settings& settings, const base::Environment& environment) {
    if (const auto value = environment.get("KILN_POLICY")) {
        for (const auto& file : path_list(*value))
            settings.policies.push_back({policy::Layer::environment, file, std::nullopt});
    }
    if (const auto value = environment.get("KILN_CATALOG")) {
        for (const auto& file : path_list(*value))
            settings.catalogs.emplace_back(file);
    }
    if (const auto value = environment.get("KILN_INCLUDE_PATH"))
        add_roots(settings, path_list(*value), "E");
    if (const auto value = environment.get("KILN_TOOLKIT"))
        settings.toolkit = {*value, "KILN_TOOLKIT"};
    if (const auto value = environment.get("KILN_CACHE_DIR"))
        settings.cache_directory = {*value, "KILN_CACHE_DIR"};
    if (const auto value = environment.get("KILN_ARCH"))
        settings.arch = {*value, "KILN_ARCH"};
    if (const auto value = environment.get("KILN_MODE"))
        settings.mode = parse_mode(*value, "KILN_MODE");
    if (const auto value = environment.get("KILN_EXPERIMENTAL"))
        add_experiments(settings, base::split(*value, ','));
    if (const auto value = environment.get("KILN_JOBS"))
        settings.jobs = parse_jobs(*value, "KILN_JOBS");
}

void apply_options(Settings& settings, const ServiceOptions& options) {
    for (const auto& file : options.policies)
        settings.policies.push_back({policy::Layer::command_line, file, std::nullopt});
    for (const auto& file : options.catalogs)
        settings.catalogs.emplace_back(file);
    add_roots(settings, options.include_path, "I");
    add_experiments(settings, options.experiments);
    if (!options.toolkit.empty())
        settings.toolkit = {options.toolkit, "--toolkit"};
    if (!options.cache_directory.empty())
        settings.cache_directory = {options.cache_directory, "--cache-dir"};
    if (options.mode)
        settings.mode = *options.mode;
    if (options.jobs)
        settings.jobs = std::clamp(*options.jobs, 1u, 1024u);
    if (options.strict)
        settings.strict = *options.strict;
}

} // namespace

Settings resolve_settings(const ServiceOptions& options, const base::Environment& environment,
                          const ProjectAccess& project) {
    Settings settings;
    settings.jobs = std::max(1u, std::thread::hardware_concurrency());
    settings.variables = options.variables;
    settings.policies.push_back(
        {policy::Layer::built_in, "built-in/policy.yaml", std::string(policy::built_in_policy())});
    if (auto directory = base::user_cache_directory(environment); !directory.empty())
        settings.cache_directory = {directory.string(), "built in"};
    if (options.use_environment) {
        apply_directory(settings, "/etc/kiln", policy::Layer::system);
        apply_directory(settings, base::user_config_directory(environment), policy::Layer::user);
    }
    apply_project(settings, project);
    if (options.use_environment) {
        if (const auto file = environment.get("KILN_CONFIG"); file)
            apply_configuration(settings, *file, true);
    }
    for (const auto& file : options.configurations)
        apply_configuration(settings, file, true);
    if (options.use_environment)
        apply_environment(settings, environment);
    apply_options(settings, options);
    if (!settings.cache_directory.empty()) {
        settings.cache_directory.value =
            base::absolute_path(settings.cache_directory.value, ErrorCode::usage)
                .lexically_normal()
                .string();
    }
    if (settings.catalogs.empty()) {
        if (auto shipped = base::shipped_file("kernels/catalog.yaml"); !shipped.empty())
            settings.catalogs.push_back(std::move(shipped));
    }
    std::stable_sort(settings.policies.begin(), settings.policies.end(),
                     [](const auto& a, const auto& b) { return a.layer < b.layer; });
    return settings;
}

} // namespace kiln::service
