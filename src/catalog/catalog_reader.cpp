// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalog_reader.h"

#include "base/paths.h"
#include "base/text.h"
#include "catalog/module_reader.h"
#include "catalog/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace kiln::catalog {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view environment_prefix = "env:";

/// A catalog's files in a directory, sorted by name.
std::vector<fs::path> files_in(const fs::path& directory) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator next(directory, error), end; !error && next != end;
         next.increment(error)) {
        const std::string name = next->path().filename().string();
        if (name == "catalog.yaml" || name.ends_with(".catalog.yaml")) {
            files.push_back(next->path());
        }
    }
    if (error) {
        throw Error(ErrorCode::catalog, fmt::format("the catalog directory {} cannot be read: {}",
                                                    directory.string(), error.message()));
    }
    if (files.empty()) {
        throw Error(ErrorCode::catalog,
                    fmt::format("there is no catalog in {}", directory.string()),
                    "a directory is searched for catalog.yaml and *.catalog.yaml");
    }
    std::sort(files.begin(), files.end());
    return files;
}

void require_version(const base::YamlNode& document) {
    const base::YamlNode version = document.require("catalog");
    if (version.text() != "1") {
        throw version.error(
            fmt::format("catalog version `{}` is not one that this Kiln reads", version.text()),
            "write `catalog: 1`");
    }
}

/// The error that a module which names unknown variables gives when it is used.
Error unusable(const Module& module, const Unknown& unknown,
               const std::map<std::string, std::string, std::less<>>& variables) {
    if (unknown.name.starts_with(environment_prefix)) {
        return Error(ErrorCode::catalog,
                     fmt::format("module {} needs the environment variable {}", module.name,
                                 unknown.name.substr(environment_prefix.size())),
                     {}, {{"location", unknown.origin.with_column()}});
    }
    std::vector<std::string> known;
    for (const auto& [name, value] : variables) {
        known.push_back(name);
    }
    for (const Parameter& parameter : module.parameters) {
        known.push_back(parameter.name);
    }
    const auto meant = base::nearest(unknown.name, known);
    return Error(ErrorCode::catalog,
                 fmt::format("module {} names `{}`, which is neither a parameter nor a variable",
                             module.name, unknown.name),
                 meant ? fmt::format("did you mean `{}`?", *meant)
                       : "set it under `variables:` of the catalog or of the configuration",
                 {{"location", unknown.origin.with_column()}});
}

} // namespace

std::optional<std::string> CatalogReader::environment_value(std::string_view name) const {
    return name.starts_with(environment_prefix)
               ? environment_.get(name.substr(environment_prefix.size()))
               : std::nullopt;
}

std::map<std::string, std::string, std::less<>>
CatalogReader::read_variables(const base::YamlNode& node) const {
    std::map<std::string, std::string, std::less<>> known(variables_.begin(), variables_.end());
    if (node.is_null()) {
        return known;
    }
    for (const auto& entry : node.entries()) {
        const auto lookup = [&](std::string_view name) -> std::optional<std::string> {
            const auto found = known.find(name);
            return found == known.end() ? environment_value(name) : found->second;
        };
        Expansion expansion;
        try {
            expansion = expand(entry.value->text(), lookup);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::usage) {
                throw entry.value->error(error.message(), error.hint());
            }
            throw;
        }
        // A variable that hangs on an unset one is itself unset: its users say so when they are
        // used.
        if (expansion.unknown.empty()) {
            known.emplace(entry.key, std::move(expansion.text));
        }
    }
    return known;
}

void CatalogReader::add(const base::YamlNode& node, ModuleReader& modules) {
    Module module = modules.read(node);
    for (const Module& other : catalog_.modules_) {
        if (other.name == module.name) {
            throw node.error(fmt::format("there is a module `{}` already", module.name),
                             fmt::format("the other is at {}", other.origin.str()));
        }
    }
    auto exclusions = read_exclusions(node["exclude"], module.parameters);
    if (!exclusions.empty()) {
        catalog_.excluded_.emplace(module.name, std::move(exclusions));
        if (catalog_.instances(module).empty()) {
            throw node["exclude"].error("every combination of the parameters is excluded");
        }
    }
    catalog_.modules_.push_back(std::move(module));
}

void CatalogReader::read_file(const fs::path& path) {
    const auto document = base::YamlNode::load(path, ErrorCode::catalog);
    require_version(document);
    document.only_keys({"catalog", "variables", "policies", "modules"});
    const auto variables = read_variables(document["variables"]);
    const Lookup lookup = [&](std::string_view name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? environment_value(name) : found->second;
    };
    ModuleReader reader(base::absolute_path(path, ErrorCode::catalog).parent_path(), lookup);
    for (const base::YamlNode& item : document["policies"].items()) {
        const fs::path policy = reader.path(item);
        if (!reader.unknown().empty()) {
            throw item.error(fmt::format("`{}` is no variable", reader.unknown().front().name));
        }
        catalog_.policies_.push_back({policy.string(), item.origin()});
    }
    for (const base::YamlNode& item : document["modules"].items()) {
        add(item, reader);
        if (!reader.unknown().empty()) {
            const Module& module = catalog_.modules_.back();
            catalog_.unusable_.emplace(module.name,
                                       unusable(module, reader.unknown().front(), variables));
        }
    }
}

void CatalogReader::read(const fs::path& path) {
    std::error_code error;
    std::vector<fs::path> files{path};
    if (fs::is_directory(path, error)) {
        files = files_in(path);
    }
    for (const fs::path& file : files) {
        const fs::path canonical = fs::weakly_canonical(file, error);
        if (seen_.insert(error ? file : canonical).second) {
            read_file(file);
        }
    }
}

Catalog Catalog::load(std::span<const fs::path> paths,
                      const std::map<std::string, std::string>& variables,
                      const base::Environment& environment) {
    CatalogReader reader(variables, environment);
    for (const fs::path& path : paths) {
        reader.read(path);
    }
    return reader.take();
}

} // namespace kiln::catalog
