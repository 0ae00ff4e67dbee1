// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/catalog.h"
#include "policy/rule.h"

#include <vector>

namespace kiln::policy {

/// What a module says for itself, as rules: its backends, language, defines and options, then its
/// needs as denies called `needs:MODULE` (`needs:MODULE#1`, ... where it has several). They are of
/// the library layer; those of a module that stands in no file, which a caller made up for its own
/// source, are of the strongest.
/// Throws Error(policy) with the location for an option that every backend refuses, and
/// Error(catalog) for a parameter that does not exist.
std::vector<Rule> module_rules(const catalog::Instance& instance);

/// The layer of a module's own rules.
Layer layer_of(const catalog::Module& module) noexcept;

} // namespace kiln::policy
