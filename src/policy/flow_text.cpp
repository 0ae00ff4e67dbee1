// SPDX-License-Identifier: Apache-2.0
#include "policy/flow_text.h"

#include <fmt/format.h>

namespace kiln::policy {

std::string flow_text(const base::YamlNode& node) {
    if (node.is_map()) {
        std::string text;
        for (const auto& entry : node.entries()) {
            text += (text.empty() ? "" : ", ") + entry.key + ":";
            if (!entry.value->is_null()) {
                text += ' ';
                text += flow_text(*entry.value);
            }
        }
        return fmt::format("{{{}}}", text);
    }
    if (node.is_list()) {
        std::string text;
        for (const base::YamlNode& item : node.items()) {
            text += (text.empty() ? "" : ", ") + flow_text(item);
        }
        return fmt::format("[{}]", text);
    }
    return node.is_null() ? std::string() : node.text();
}

} // namespace kiln::policy
