// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml.h"

#include <string>

namespace kiln::policy {

/// A node in one line, as YAML's flow style has it and without quotes: `{module: fp4_*, major:
/// 12}`. The outermost map goes without its braces.
std::string flow_text(const base::YamlNode& node);

} // namespace kiln::policy
