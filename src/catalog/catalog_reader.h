// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/catalog.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace kiln::catalog {

/// Gathers files into one Catalog.
class CatalogReader {
  public:
    CatalogReader(const std::map<std::string, std::string>& variables,
                  const base::Environment& environment)
        : variables_(variables), environment_(environment) {}

    /// A file, or a directory. A file that was read before is passed over.
    void read(const std::filesystem::path& path);
    Catalog take() { return std::move(catalog_); }

  private:
    void read_file(const std::filesystem::path& path);
    void add(const base::YamlNode& node, class ModuleReader& modules);
    /// The file's own variables, with those of the caller over them.
    std::map<std::string, std::string, std::less<>>
    read_variables(const base::YamlNode& node) const;
    std::optional<std::string> environment_value(std::string_view name) const;

    const std::map<std::string, std::string>& variables_;
    const base::Environment& environment_;
    std::set<std::filesystem::path> seen_;
    Catalog catalog_;
};

} // namespace kiln::catalog
