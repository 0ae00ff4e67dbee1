// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/facts.h"
#include "policy/option.h"
#include "policy/rule.h"

#include <deque>
#include <string>
#include <string_view>
#include <utility>

namespace kiln::policy {

/// The text with each `${...}` replaced: by a parameter of the instance, a variable, or
/// `${env:NAME}`, each with an optional default, `${name:-default}`. Throws Error(policy) with
/// `origin` for what nothing sets.
std::string replace_templates(std::string_view text, const Facts& facts, const std::string& origin);

/// The options that a query's templates come to. References stay valid while it lives.
class OptionValues {
  public:
    /// Takes the rule's templates, which must outlive this. Throws Error(policy) with the location,
    /// also for an option that is refused with its value.
    void add(const Rule& rule, const Facts& facts);
    /// The option itself, or what its template came to.
    const Option& of(const Option& option) const noexcept;

  private:
    std::deque<std::pair<const Option*, Option>> values_;
};

} // namespace kiln::policy
