// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/checked_policy.h"
#include "policy/single_values.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln::policy {

/// Rules of one layer that have to do with one key, weakest first, found by the modules that they
/// name: most pairs of a large policy have no module in common and are never looked at.
class RuleGroup {
  public:
    struct Member {
        const CheckedRule* rule;
        SingleValue value;
    };

    /// Members are added weakest first.
    void add(const CheckedRule& rule, SingleValue value);
    const std::vector<Member>& members() const noexcept { return members_; }
    /// Indices, ascending, of the members that may hold together with this one, itself left out.
    /// None in a group with more than 1000 rules that name no module: each pair would have to be
    /// compared, and a check must end in seconds.
    std::vector<std::size_t> neighbours(std::size_t index) const;

  private:
    static constexpr std::size_t most_open = 1000;

    std::vector<Member> members_;
    std::unordered_map<std::string_view, std::vector<std::size_t>> by_module_;
    std::vector<std::size_t> open_; ///< those that name no module, or a glob
};

} // namespace kiln::policy
