// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"
#include "base/yaml.h"
#include "policy/policy.h"
#include "source/search_path.h"

#include <kiln/service.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kiln::service {

/// A setting and where it was said: `config.yaml:3`, `KILN_TOOLKIT`, `--toolkit`, `built in`.
struct Said {
    std::string value;
    std::string origin;
    bool empty() const noexcept { return value.empty(); }
};

/// All settings, resolved. A value: two Services with equal settings behave alike.
struct Settings {
    std::vector<policy::Document> policies; ///< weakest first
    std::vector<std::filesystem::path> catalogs;
    std::vector<source::Root> include_path; ///< in search order
    Said toolkit;
    Said cache_directory; ///< empty value: memory only (no HOME)
    Said host_compiler;
    Said arch; ///< KILN_ARCH, for the command line
    Mode mode = Mode::normal;
    unsigned jobs = 1;
    bool strict = false;
    std::uint64_t memory_bytes = 256u << 20;
    std::map<std::string, std::string> variables;
    std::vector<std::string> experiments; ///< globs over names of experimental rules
    /// Configuration files that were read, and those that were refused, with the reason.
    std::vector<std::string> read;
    std::vector<std::string> refused;
};

/// What the command line may read beyond an embedded service.
struct ProjectAccess {
    /// `kiln.yaml` and `kiln.policy.yaml` are looked for here; empty: not at all.
    std::filesystem::path directory;
    /// The project may choose toolkit, host compiler and cache.
    bool trusted = false;
};

/// Resolves all layers: built in, `/etc/kiln`, the user's, the project's, `configurations`,
/// environment, the other options. Throws Error(configuration) with the location.
Settings resolve_settings(const ServiceOptions& options, const base::Environment& environment,
                          const ProjectAccess& project = {});

/// One configuration file onto `settings`. Relative paths are relative to it. `trusted` false: the
/// settings that a project may not choose are an error. Grammar: docs/configuration.md.
void apply_configuration(Settings& settings, const std::filesystem::path& file, bool trusted);

/// `normal`, `sealed`, `off`; throws Error(configuration).
Mode parse_mode(const std::string& text, const std::string& origin);

} // namespace kiln::service
