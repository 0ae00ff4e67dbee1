// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/arch.h>
#include <kiln/cubin.h>
#include <kiln/device.h>
#include <kiln/error.h>
#include <kiln/export.h>
#include <kiln/plan.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// How the cache is used.
enum class Mode {
    normal, ///< look up, compile what is missing, store
    sealed, ///< a miss is Error(sealed_miss); nothing is compiled
    off     ///< compile always, read and store nothing
};

/// How a Service is set up. What is left empty comes from the configuration files, then from what
/// is built in. An embedded service reads no working directory and no environment variable but
/// those that `use_environment` allows.
struct KILN_API ServiceOptions {
    /// `/etc/kiln`, the user's configuration, and KILN_* variables are read (as `kiln` does).
    bool use_environment = true;
    std::vector<std::string> configurations; ///< files, weakest first
    std::vector<std::string> policies;       ///< files, weakest first; of the strongest layer
    std::vector<std::string> catalogs;       ///< files or directories
    std::vector<std::string> include_path;   ///< searched first, in order
    std::string toolkit;                     ///< path or version
    std::string cache_directory;
    std::optional<Mode> mode;
    std::optional<unsigned> jobs; ///< compiles at once; default: cores
    std::optional<bool> strict;   ///< cache trouble is an error
    /// Variables for `${name}` in configurations, catalogs and policies.
    std::map<std::string, std::string> variables;
    /// Experimental rules that are opted in to, by name or glob.
    std::vector<std::string> experiments;
};

/// What is asked for. Either a module of the catalog, or a source file of one's own.
struct KILN_API Request {
    std::string module{};                            ///< name in the catalog
    std::map<std::string, std::string> parameters{}; ///< missing ones take their default
    /// A source without a catalog entry: absolute, or relative to the working directory.
    std::string source{};
    std::vector<std::string> kernels{}; ///< for `source`: expressions or symbols; may be empty
    std::vector<std::string> defines{}; ///< for `source`: `NAME` or `NAME=VALUE`
    std::vector<std::string> options{}; ///< for `source`
};

/// One result of a warm.
struct KILN_API WarmResult {
    std::string module;
    std::string instance;
    std::string target; ///< as built; the arch as asked for where there is none
    enum class Status { compiled, hit, denied, skipped, failed } status = Status::failed;
    std::optional<Cubin> cubin;
    std::optional<Error> error; ///< for denied, skipped and failed
    double seconds = 0;
};

/// The facade. Thread-safe; cheap to copy (copies share everything). Creating one reads
/// configuration, policy and catalog, and starts nothing: no compiler, no driver, no child process.
class KILN_API Service {
  public:
    /// Throws Error(configuration | policy | catalog) with the location.
    explicit Service(ServiceOptions options = {});
    Service(const Service&);
    Service(Service&&) noexcept;
    Service& operator=(const Service&);
    Service& operator=(Service&&) noexcept;
    ~Service();

    /// What the policy makes of it. A deny and an unsupported target are answers. Where the wanted
    /// version of the toolkit is not installed, or none is, the plan is made on paper
    /// (Plan::toolkit_on_paper). Throws for a module or parameter that does not exist, and
    /// Error(toolkit_missing) for a wanted path without a toolkit or a version of which nothing is
    /// known.
    Plan plan(const Request& request, const ArchRequest& arch) const;
    /// verdict == allow, and a toolkit at hand (not on paper) that has the target. Starts no
    /// compile. For the gates of a program's own: ask, instead of keeping a list of capabilities.
    bool can_compile(const Request& request, const ArchRequest& arch) const noexcept;

    /// The cubin from the cache, or compiled. Throws Error; denied and unsupported_target carry the
    /// plan's reason. Denied too where the policy demands a proof that is not there; `warm`
    /// compiles such kernels, so that they can be proved.
    Cubin get(const Request& request, const ArchRequest& arch) const;
    /// Only what the cache has; nothing otherwise.
    std::optional<Cubin> try_get(const Request& request, const ArchRequest& arch) const;
    /// The kernel for a device, loaded. `name` as in Cubin::find. The first use of the driver.
    Kernel kernel(const Request& request, std::string_view name = {}, int device = 0) const;

    /// Every pair of request and arch, `jobs` at a time; `progress` (may be empty) is called from
    /// this thread alone, once a result, in the order of completion. Results are in the order of
    /// the pairs; behind them stand the further targets of modules that the policy compiles for
    /// several (`fixed`).
    using Progress = std::function<void(const WarmResult&, std::size_t done, std::size_t all)>;
    std::vector<WarmResult> warm(std::span<const std::pair<Request, ArchRequest>> pairs,
                                 const Progress& progress = {}) const;

    /// Every instance of a module, or of all modules for an empty name.
    std::vector<Request> requests(const std::string& module = {}) const;
    /// The capabilities that the chosen toolkit reports, as bare arch requests; on paper as in
    /// plan.
    std::vector<ArchRequest> all_archs() const;

    struct KILN_LOCAL State;
    /// For Kiln's own programs, which set up a State by themselves.
    explicit Service(std::shared_ptr<State> state);
    const std::shared_ptr<State>& state() const noexcept { return state_; }

  private:
    std::shared_ptr<State> state_;
};

} // namespace kiln
