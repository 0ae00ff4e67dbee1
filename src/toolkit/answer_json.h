// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/arch.h>

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

/// The parts of an answer as JSON.
namespace kiln::toolkit {

/// `["sm_90", "sm_90a"]`
std::vector<std::string> names_of(const std::vector<Target>& targets);
/// Sorted; false unless `key` holds a list of targets.
bool read_targets(const nlohmann::json& object, const char* key, std::vector<Target>& targets);
/// False unless `key` holds a text.
bool read_text(const nlohmann::json& object, const char* key, std::string& text);

} // namespace kiln::toolkit
