// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/facts.h"
#include "policy/option.h"
#include "policy/rule.h"

#include <string>
#include <string_view>

namespace kiln::policy {

/// The text with each `${...}` replaced: by a parameter of the instance, a variable, or
/// `${env:NAME}`, each with an optional default, `${name:-default}`. Throws Error(policy) with
/// `origin` for what nothing sets.
std::string replace_templates(std::string_view text, const Facts& facts, const std::string& origin);

bool has_templates(const Rule& rule) noexcept;
/// The rule with the templates of its options replaced. Throws Error(policy) with the location,
/// also for an option that is refused with its value.
Rule with_values(const Rule& rule, const Facts& facts);

} // namespace kiln::policy
