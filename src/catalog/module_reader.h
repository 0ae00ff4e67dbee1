// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/catalog.h"
#include "catalog/expand.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::catalog {

/// Text with the place that a complaint about it names.
struct Unknown {
    std::string name; ///< of the variable that nothing sets
    base::Origin origin;
};

/// Reads the entries of one file's `modules:`. Throws Error(catalog) with the location.
class ModuleReader {
  public:
    /// `directory` is what relative paths start from; `variables` knows `name` and `env:NAME`.
    ModuleReader(std::filesystem::path directory, const Lookup& variables)
        : directory_(std::move(directory)), variables_(variables) {}

    Module read(const base::YamlNode& node);
    /// Of the module last read: what it names and nothing sets.
    const std::vector<Unknown>& unknown() const noexcept { return unknown_; }

    /// An absolute path; a variable that nothing sets is added to `unknown`.
    std::filesystem::path path(const base::YamlNode& node);

  private:
    std::string expanded(const base::YamlNode& node, const std::vector<Parameter>* parameters);
    std::vector<Setting> settings(const base::YamlNode& node, const Module& module);
    std::vector<Setting> defines(const base::YamlNode& node, const Module& module);
    std::vector<IncludeRoot> roots(const base::YamlNode& node);

    std::filesystem::path directory_;
    const Lookup& variables_;
    std::vector<Unknown> unknown_;
};

} // namespace kiln::catalog
