// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/catalog.h"

#include <vector>

namespace kiln::catalog {

/// A module's `parameters:`, with at least one value each. Throws Error(catalog) with the location.
std::vector<Parameter> read_parameters(const base::YamlNode& node);

/// A module's `exclude:`, which may only name parameters and values that there are.
std::vector<Exclusion> read_exclusions(const base::YamlNode& node,
                                       const std::vector<Parameter>& parameters);

} // namespace kiln::catalog
