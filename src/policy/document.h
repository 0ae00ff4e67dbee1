// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml.h"
#include "policy/facts.h"
#include "policy/miscompile.h"
#include "policy/policy.h"
#include "policy/rule.h"

#include <span>
#include <vector>

namespace kiln::policy {

/// What one document says.
struct ReadDocument {
    Layer layer;
    base::YamlNode root;
    Variables variables;
    std::vector<Rule> rules;             ///< as `root["rules"]` lists them
    std::vector<Miscompile> miscompiles; ///< as `root["miscompiles"]` lists them

    /// Throws Error(policy) with location file:line:column for the first problem.
    explicit ReadDocument(const Document& document);
};

/// By layer, weakest first, within a layer in the order given; the built-in policy is added where
/// none is of that layer.
std::vector<Document> in_layers(std::span<const Document> documents);

} // namespace kiln::policy
