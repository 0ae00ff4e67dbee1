// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalog/catalog.h"
#include "policy/policy.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace kiln::policy {

/// Something in a policy that cannot be meant, or need not be.
struct Finding {
    std::string location; ///< file:line:column
    std::string rule;     ///< name of the rule, or empty
    std::string message;
    std::string hint; ///< what to do about it; may be empty
};

/// What `kiln policy check` says; each list by document, weakest first, then by line.
struct Findings {
    std::size_t rules = 0;       ///< that were read, known miscompiles among them
    std::vector<Finding> errors; ///< the first that loading meets in each document; rules that can
                                 ///< never hold
    std::vector<Finding> warnings;
};

/// Reads the documents, each as far as it goes, and compares their rules. What cannot be proved is
/// not said. With a catalog, names are held against its modules; without one, modules are open.
/// `experiments`: the opt-ins that are configured. Throws nothing for what documents say.
Findings check(std::span<const Document> documents, const catalog::Catalog* catalog,
               std::span<const std::string> experiments = {});

} // namespace kiln::policy
