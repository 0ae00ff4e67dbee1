// SPDX-License-Identifier: Apache-2.0
#include "toolkit/answer_json.h"

#include "toolkit/capabilities.h"

#include <kiln/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace kiln::toolkit {

std::vector<std::string> names_of(const std::vector<Target>& targets) {
    std::vector<std::string> names;
    for (const auto& target : targets)
        names.push_back(target.str());
    return names;
}

bool read_targets(const nlohmann::json& object, const char* key, std::vector<Target>& targets) {
    const auto list = object.find(key);
    if (list == object.end() || !list->is_array())
        return false;
    targets.clear();
    for (const auto& name : *list) {
        if (!name.is_string())
            return false;
        try {
            targets.push_back(Target::parse(name.get_ref<const std::string&>()));
        } catch (const Error&) {
            return false;
        }
    }
    std::sort(targets.begin(), targets.end());
    return true;
}

bool read_text(const nlohmann::json& object, const char* key, std::string& text) {
    const auto value = object.find(key);
    if (value == object.end() || !value->is_string())
        return false;
    text = value->get<std::string>();
    return true;
}

std::string to_json(const Capabilities& capabilities) {
    nlohmann::json json;
    json["nvrtc"] = names_of(capabilities.nvrtc);
    json["nvrtc_version"] = capabilities.nvrtc_version;
    json["nvrtc_error"] = capabilities.nvrtc_error;
    // A compiler's log or a path may hold any bytes.
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<Capabilities> from_json(std::string_view text) {
    const auto json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
    Capabilities capabilities;
    if (!json.is_object() || !read_targets(json, "nvrtc", capabilities.nvrtc) ||
        !read_text(json, "nvrtc_version", capabilities.nvrtc_version) ||
        !read_text(json, "nvrtc_error", capabilities.nvrtc_error))
        return std::nullopt;
    return capabilities;
}

} // namespace kiln::toolkit
