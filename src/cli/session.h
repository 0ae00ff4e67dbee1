// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/exit_code.h"
#include "service/state.h"

#include <kiln/service.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kiln::cli {

/// Options that stand before or after any verb.
struct GlobalOptions {
    std::vector<std::string> configurations;
    std::vector<std::string> policies;
    std::vector<std::string> catalogs;
    std::vector<std::string> include_path;
    std::vector<std::string> variables; ///< NAME=VALUE
    std::vector<std::string> experiments;
    std::string toolkit;
    std::string cache_directory;
    std::string arch;
    std::string arch_from; ///< `torch`, `cmake=80;90a`: a list in another tool's syntax
    std::optional<unsigned> jobs;
    bool sealed = false;
    bool strict = false;
    bool allow_skips = false;
    bool trust_project = false;
    bool json = false;
    bool verbose = false;
    bool quiet = false;
};

/// One run of the program: its options, and the service they describe, made at the first need.
class Session {
  public:
    GlobalOptions options;

    /// Throws Error(configuration | policy | catalog | usage).
    Service service();
    const Service::State& state() { return *service().state(); }

    /// What a verb does, set by its callback while the arguments are read and run afterwards.
    std::function<ExitCode()> action;

    /// The archs asked for by `--arch`, `--arch-from`, KILN_ARCH or the configuration, or `native`.
    /// The words `all` and `native` are resolved. Throws Error(unknown_arch), Error(device_missing)
    /// naming what to set.
    std::vector<ArchRequest> archs();
    /// The same, but nothing asked for gives an empty list.
    std::vector<ArchRequest> archs_or_none();

  private:
    std::vector<ArchRequest> foreign_archs();

    std::optional<Service> service_;
};

/// Each verb adds its subcommand.
void add_devices(CLI::App& app, Session& session);
void add_doctor(CLI::App& app, Session& session);
void add_modules(CLI::App& app, Session& session);
void add_explain(CLI::App& app, Session& session);
void add_policy(CLI::App& app, Session& session);
void add_which(CLI::App& app, Session& session);
void add_graph(CLI::App& app, Session& session);
void add_warm(CLI::App& app, Session& session);
void add_compile(CLI::App& app, Session& session);
void add_cache(CLI::App& app, Session& session);

/// `NAME=VALUE` pairs; throws Error(usage) naming `option`.
std::map<std::string, std::string> parse_pairs(const std::vector<std::string>& texts,
                                               std::string_view option);

} // namespace kiln::cli
