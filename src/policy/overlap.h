// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/match.h"

namespace kiln::policy {

// Of two conditions of one kind. `covers(wide, narrow)`: what meets the narrow one meets the wide
// one. `excludes(a, b)`: nothing meets both. "No" means that it cannot be proved.

bool covers(const Names& wide, const Names& narrow);
bool covers(const std::vector<std::string>& wide, const std::vector<std::string>& narrow);
bool covers(const catalog::VersionRanges& wide, const catalog::VersionRanges& narrow);
bool covers(const std::vector<Backend>& wide, const std::vector<Backend>& narrow);
bool covers(const std::vector<catalog::TargetForm>& wide,
            const std::vector<catalog::TargetForm>& narrow);
bool covers(const DeviceMatch& wide, const DeviceMatch& narrow);
bool covers(const ParameterCondition& wide, const ParameterCondition& narrow);
bool covers(const VariableCondition& wide, const VariableCondition& narrow);
bool covers(const HeaderCondition& wide, const HeaderCondition& narrow);

bool excludes(const Names& a, const Names& b);
bool excludes(const catalog::VersionRanges& a, const catalog::VersionRanges& b);
bool excludes(const std::vector<Backend>& a, const std::vector<Backend>& b);
bool excludes(const std::vector<catalog::TargetForm>& a, const std::vector<catalog::TargetForm>& b);
bool excludes(const DeviceMatch& a, const DeviceMatch& b);
bool excludes(const ParameterCondition& a, const ParameterCondition& b);
bool excludes(const VariableCondition& a, const VariableCondition& b);

} // namespace kiln::policy
