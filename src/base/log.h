// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <spdlog/spdlog.h>

#include <memory>
#include <string>
#include <string_view>

namespace kiln::base {

/// Kiln's own logger, never spdlog's default one: an embedding host may use spdlog itself.
/// Writes to stderr; level from `KILN_LOG` (trace, debug, info, warn, error, off), `warn` without.
/// Thread-safe.
spdlog::logger& log() noexcept;

/// Overrides the level; an unknown name is ignored and false.
bool set_log_level(std::string_view name);

/// Says a warning once a process for each `key`.
void warn_once(std::string_view key, const std::string& message);

} // namespace kiln::base
