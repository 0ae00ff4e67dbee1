// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/catalog.h"
#include "policy/checked_policy.h"

#include <kiln/arch.h>

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kiln::policy {

/// Values of each kind of fact about which two rules may decide differently.
struct Circumstances {
    using Values = std::map<std::string, std::optional<std::string>, std::less<>>;

    std::vector<catalog::Instance> instances;
    std::vector<std::vector<ArchRequest>> archs; ///< lists; the first of each is the one asked for
    std::vector<toolkit::Version> toolkits;
    std::vector<Backend> backends;
    std::vector<Values> environments;
    std::vector<Values> variables;
    std::vector<Values> headers;

    /// `source` stands for modules of no catalog. `capabilities`: those that exist, sorted.
    Circumstances(const CheckedRule& a, const CheckedRule& b, const catalog::Catalog& catalog,
                  const catalog::Module& source, std::span<const ComputeCapability> capabilities);
};

} // namespace kiln::policy
