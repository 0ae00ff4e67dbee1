// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/exit_code.h"
#include "cli/session.h"

#include <kiln/plan.h>
#include <kiln/service.h>

#include <nlohmann/json.hpp>

#include <span>

/// The shapes that `--json` promises.
namespace kiln::cli {

using Json = nlohmann::ordered_json;

/// The text, or null for an empty one.
Json text_or_null(std::string_view text);
Json to_json(const Error& error);
Json to_json(const WarmResult& result);
Json to_json(const Plan& plan);
/// Plans of one instance for a set of archs: all of them, and what the set comes to.
Json to_json(std::span<const Plan> plans);
/// `{"results": [...], "summary": {...}}`
Json to_json(std::span<const WarmResult> results);

std::string_view to_string(WarmResult::Status status) noexcept;

/// Writes to stdout with a newline; text that is no UTF-8 has its bad bytes replaced.
void print_json(const Json& json);

/// What a list of results means for the exit code.
ExitCode exit_code_of(std::span<const WarmResult> results, const GlobalOptions& options);

} // namespace kiln::cli
