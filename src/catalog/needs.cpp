// SPDX-License-Identifier: Apache-2.0
#include "catalog/needs.h"

#include "base/text.h"
#include "catalog/ranges.h"
#include "catalog/target_forms.h"

namespace kiln::catalog {
namespace {

/// The texts of a scalar or list as one, after `check` has parsed them.
template <typename Check>
std::string checked_list(const base::YamlNode& node, Check check) {
    if (node.is_null()) {
        return {};
    }
    const std::vector<std::string> texts = node.texts();
    try {
        check(texts);
    } catch (const Error& error) {
        throw node.error(error.message(), error.hint());
    }
    return base::join(texts, ", ");
}

} // namespace

std::vector<Need> read_needs(const base::YamlNode& node) {
    std::vector<Need> needs;
    for (const base::YamlNode& item : node.items()) {
        item.only_keys({"when", "capability", "targets", "toolkit", "reason"});
        Need need;
        const auto capabilities = [](const auto& texts) { CapabilityRanges::parse(texts); };
        need.when = checked_list(item["when"], capabilities);
        need.capability = checked_list(item["capability"], capabilities);
        need.targets =
            checked_list(item["targets"], [](const auto& texts) { parse_target_forms(texts); });
        need.toolkit =
            checked_list(item["toolkit"], [](const auto& texts) { VersionRanges::parse(texts); });
        if (need.capability.empty() && need.targets.empty() && need.toolkit.empty()) {
            throw item.error("this need asks for nothing",
                             "give it `capability:`, `targets:` or `toolkit:`");
        }
        need.reason = item.require("reason").text();
        need.origin = item.origin();
        needs.push_back(std::move(need));
    }
    return needs;
}

} // namespace kiln::catalog
