// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace kiln::test {

/// Processes, zombies and this one left out, whose command line or environment holds `text`: a
/// temporary directory's name finds all that was started with it.
std::vector<int> processes_with(const std::string& text);

/// Waits until `condition` holds, at most `seconds`; whether it did.
bool eventually(const std::function<bool()>& condition, double seconds = 10);

} // namespace kiln::test
