// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/session.h"

#include <kiln/service.h>

#include <span>

/// How `compile` and `warm` show what they do, in text.
namespace kiln::cli {

/// A progress callback: one line that is rewritten on a terminal, plain lines elsewhere, nothing
/// with
/// `-q` or `--json`.
Service::Progress progress_of(const GlobalOptions& options);

/// Failures with their logs to stderr, each once.
void print_failures(std::span<const WarmResult> results, const GlobalOptions& options);

/// `12 wanted: 8 compiled, 4 denied`
std::string summary_of(std::span<const WarmResult> results);

/// Instances x targets, with the reasons of what was not built below.
std::string matrix_of(std::span<const WarmResult> results, std::span<const ArchRequest> archs);

} // namespace kiln::cli
