// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

/// What a test needs a process of its own for: this program again, with `--child VERB ...`.
namespace kiln::gpu {

/// The child's side: `devices`, `first-launch CACHE`, `fault CACHE`.
int run_child(const std::vector<std::string>& arguments);

/// The test's side. Variables are added to those of this process.
struct ChildResult {
    int code = -1; ///< exit code; -1: killed by a signal or the time limit
    std::string output;
    double seconds = 0;
};
ChildResult child(std::vector<std::string> arguments,
                  const std::vector<std::pair<std::string, std::string>>& variables = {});

} // namespace kiln::gpu
