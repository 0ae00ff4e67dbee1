// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/temporary_directory.h"
#include "catalog/catalog.h"

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

/// Catalog files in a fresh directory.
class CatalogFiles {
  public:
    std::filesystem::path path(const std::string& name) const { return directory_.path() / name; }
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories(path(name).parent_path());
        std::ofstream(path(name)) << text;
        return path(name);
    }
    kiln::catalog::Catalog load(const std::string& text) const {
        return load_files({write("catalog.yaml", text)});
    }
    kiln::catalog::Catalog load_files(std::vector<std::filesystem::path> files) const {
        return kiln::catalog::Catalog::load(files, variables, environment);
    }

    std::map<std::string, std::string> variables;
    kiln::base::Environment environment;

  private:
    kiln::base::TemporaryDirectory directory_{"kiln-catalog-test-"};
};
