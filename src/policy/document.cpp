// SPDX-License-Identifier: Apache-2.0
#include "policy/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kiln::policy {
namespace {

/// Names are unique within a document.
void check_unique(std::map<std::string, std::string>& names, const base::YamlNode& node,
                  const std::string& name, const std::string& origin) {
    if (name.empty()) {
        return;
    }
    const auto [other, first] = names.emplace(name, origin);
    if (!first) {
        throw node["name"].error(fmt::format("there is a rule `{}` already", name),
                                 fmt::format("the other is at {}", other->second));
    }
}

base::YamlNode root_of(const Document& document) {
    return document.text
               ? base::YamlNode::parse(*document.text, document.path.string(), ErrorCode::policy)
               : base::YamlNode::load(document.path, ErrorCode::policy);
}

} // namespace

ReadDocument::ReadDocument(const Document& document)
    : layer(document.layer), root(root_of(document)) {
    root.only_keys({"policy", "variables", "sets", "rules", "miscompiles"});
    const base::YamlNode version = root.require("policy");
    if (version.text() != "1") {
        throw version.error(
            fmt::format("policy version `{}` is not one that this Kiln reads", version.text()),
            "write `policy: 1`");
    }
    for (const auto& entry : root["variables"].entries()) {
        variables.insert_or_assign(entry.key, entry.value->text());
    }
    const OptionSets sets = parse_option_sets(root["sets"]);
    std::map<std::string, std::string> names;
    const auto items = root["rules"].items();
    rules.reserve(items.size());
    for (const base::YamlNode& item : items) {
        rules.push_back(Rule::parse(item, layer, sets));
        check_unique(names, item, rules.back().name, rules.back().origin);
    }
    for (const base::YamlNode& item : root["miscompiles"].items()) {
        miscompiles.push_back(Miscompile::parse(item, layer));
        check_unique(names, item, miscompiles.back().name, miscompiles.back().origin);
    }
}

std::vector<Document> in_layers(std::span<const Document> documents) {
    std::vector<Document> layered(documents.begin(), documents.end());
    const auto weaker = [](const Document& a, const Document& b) { return a.layer < b.layer; };
    std::stable_sort(layered.begin(), layered.end(), weaker);
    if (layered.empty() || layered.front().layer != Layer::built_in) {
        layered.insert(layered.begin(),
                       {Layer::built_in, "built-in/policy.yaml", std::string(built_in_policy())});
    }
    return layered;
}

} // namespace kiln::policy
