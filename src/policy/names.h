// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln::policy {

/// A list of names, globs (`*`, `?`) among them. Names without a glob are found by search, so that
/// a rule may list hundreds of modules.
class Names {
  public:
    Names() = default;
    explicit Names(std::vector<std::string> names);

    bool empty() const noexcept { return exact_.empty() && globs_.empty(); }
    bool contain(std::string_view name) const noexcept;
    const std::vector<std::string>& exact() const noexcept { return exact_; } ///< sorted
    const std::vector<std::string>& globs() const noexcept { return globs_; }

  private:
    std::vector<std::string> exact_;
    std::vector<std::string> globs_;
};

} // namespace kiln::policy
