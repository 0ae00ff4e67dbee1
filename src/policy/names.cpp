// SPDX-License-Identifier: Apache-2.0
#include "policy/names.h"

#include "base/text.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace kiln::policy {

Names::Names(std::vector<std::string> names) {
    for (std::string& name : names) {
        const bool is_glob = name.find_first_of("*?") != std::string::npos;
        (is_glob ? globs_ : exact_).push_back(std::move(name));
    }
    std::sort(exact_.begin(), exact_.end());
}

bool Names::contain(std::string_view name) const noexcept {
    return std::binary_search(exact_.begin(), exact_.end(), name, std::less<>{}) ||
           std::any_of(globs_.begin(), globs_.end(),
                       [name](const std::string& glob) { return base::glob_match(glob, name); });
}

} // namespace kiln::policy
