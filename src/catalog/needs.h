// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/catalog.h"

#include <vector>

namespace kiln::catalog {

/// The entries of a module's `needs:`. Throws Error(catalog) with the location.
std::vector<Need> read_needs(const base::YamlNode& node);

} // namespace kiln::catalog
