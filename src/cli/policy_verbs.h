// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/exit_code.h"
#include "cli/session.h"

#include <string>

namespace kiln::cli {

/// `policy check`: errors and warnings with file:line:column. With `--strict` a warning fails too.
ExitCode check_policy(Session& session);

/// `policy diff BEFORE AFTER`: each a policy file, `shipped` or `effective`.
struct PolicySides {
    std::string before = "shipped";
    std::string after = "effective";
};
/// Throws Error(policy) for a file that cannot be read.
ExitCode diff_policies(Session& session, const PolicySides& sides);

/// `policy gates`: everything that is refused for the archs, or cannot be compiled all the same.
ExitCode list_gates(Session& session);

} // namespace kiln::cli
