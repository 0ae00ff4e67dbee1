// SPDX-License-Identifier: Apache-2.0
#include "policy/flow_text.h"

namespace kiln::policy {
namespace {

std::string nested(const base::YamlNode& node) {
    if (node.is_map()) {
        return "{" + flow_text(node) + "}";
    }
    if (node.is_list()) {
        std::string text = "[";
        for (const base::YamlNode& item : node.items()) {
            text += (text.size() > 1 ? ", " : "") + nested(item);
        }
        return text + "]";
    }
    return node.is_null() ? std::string() : node.text();
}

} // namespace

std::string flow_text(const base::YamlNode& node) {
    if (!node.is_map()) {
        return nested(node);
    }
    std::string text;
    for (const auto& entry : node.entries()) {
        text += (text.empty() ? "" : ", ") + entry.key + ":";
        if (!entry.value->is_null()) {
            text += " " + nested(*entry.value);
        }
    }
    return text;
}

} // namespace kiln::policy
