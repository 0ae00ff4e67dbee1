// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_directory.h"
#include "cli/json_output.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "compile/compiler.h"
#include "device/refusal.h"
#include "toolkit/discovery.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <map>

namespace kiln::cli {
namespace {

/// What one compiler of one toolkit did with a real source.
struct Trial {
    std::string toolkit;
    std::string found_by;
    std::string version;
    std::string backend;
    bool usable = false;
    std::string outcome; ///< `sm_90a in 0.41 s`, or the first error
};

// With a header of the toolkit, so that a toolkit without its headers does not pass.
constexpr std::string_view trial_source = "#include <cuda_fp16.h>\n"
                                          "extern \"C\" __global__ void kiln_trial(__half* x) {\n"
                                          "    x[threadIdx.x] = __float2half(1.0f);\n"
                                          "}\n";

/// The newest plain target that a backend reports.
std::optional<Target> trial_target(const std::vector<Target>& targets) {
    std::optional<Target> best;
    for (const auto& target : targets) {
        if (target.suffix == Suffix::none)
            best = target;
    }
    return best;
}

Trial try_backend(const Service::State& state, const service::Toolchain& chain,
                  const toolkit::Toolkit& found, Backend backend,
                  const std::filesystem::path& directory) {
    Trial trial{found.root.string(),
                found.found_by,
                chain.toolkit.version.str(),
                std::string(kiln::to_string(backend)),
                false,
                {}};
    const auto& capabilities = chain.facts.capabilities;
    const auto& targets = backend == Backend::nvrtc ? capabilities.nvrtc : capabilities.nvcc;
    const auto& error =
        backend == Backend::nvrtc ? capabilities.nvrtc_error : capabilities.nvcc_error;
    const auto target = trial_target(targets);
    if (!target) {
        trial.outcome = error.empty() ? "not installed" : error;
        return trial;
    }
    compile::Job job;
    job.label = "trial";
    job.backend = backend;
    job.toolkit = chain.toolkit;
    job.source = directory / "trial.cu";
    job.target = *target;
    for (const auto& include : chain.toolkit.include_directories)
        job.roots.push_back({include.filename() == "cccl" ? "cccl" : "cuda", include, false});
    job.kernels = {"kiln_trial"};
    job.host_compiler = chain.host_compiler;
    job.environment = service::compiler_environment(chain, state.environment);
    job.time_limit = std::chrono::seconds(60);
    const auto result = state.pool().run(job);
    trial.usable = !result.error;
    trial.outcome = result.error
                        ? result.error->message()
                        : fmt::format("compiled for {} in {:.2f} s", target->str(), result.seconds);
    return trial;
}

std::vector<Trial> try_toolkits(const Service::State& state, const toolkit::Discovery& discovery) {
    std::vector<Trial> trials;
    std::optional<base::TemporaryDirectory> directory;
    std::error_code error;
    try {
        directory.emplace("kiln-doctor-");
        base::real_file_system().write_new(directory->path() / "trial.cu",
                                           std::as_bytes(std::span(trial_source)), error);
        if (error)
            throw Error(ErrorCode::io, "cannot write a trial source in " +
                                           directory->path().string() + ": " + error.message());
    } catch (const Error& trouble) {
        // That none could be tried is the answer, and the rest of the report still helps.
        for (const auto& toolkit : discovery.toolkits)
            trials.push_back({toolkit.root.string(), toolkit.found_by, toolkit.version.str(), "-",
                              false, trouble.message()});
        return trials;
    }
    for (const auto& toolkit : discovery.toolkits) {
        auto settings = state.settings;
        settings.toolkit = {toolkit.root.string(), "doctor"};
        try {
            const auto chain = service::find_toolchain(settings, state.environment, state.worker,
                                                       {}, state.files, state.digests());
            for (const auto backend : {Backend::nvrtc, Backend::nvcc})
                trials.push_back(try_backend(state, chain, toolkit, backend, directory->path()));
        } catch (const Error& trouble) {
            trials.push_back({toolkit.root.string(), toolkit.found_by, toolkit.version.str(), "-",
                              false, trouble.message()});
        }
    }
    return trials;
}

/// Whether an entry could be written below the cache directory.
std::string cache_state(const Service::State& state) {
    const std::filesystem::path directory = state.settings.cache_directory.value;
    if (directory.empty())
        return "none: neither HOME nor XDG_CACHE_HOME is set; entries are kept in memory only";
    std::error_code error;
    state.files.make_directories(directory / "v1", error);
    if (!error) {
        const base::TemporaryDirectory probe("doctor-", directory / "v1");
        return "writable";
    }
    return "not writable: " + error.message();
}

/// Of each toolkit whose cubins this driver is too old for.
std::vector<std::string> driver_warnings(const toolkit::Discovery& discovery,
                                         const std::string& driver) {
    std::vector<std::string> warnings;
    for (const auto& one : discovery.toolkits) {
        auto warning = device::driver_warning(driver, one.version.str());
        if (!warning.empty() &&
            std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
            warnings.push_back(std::move(warning));
    }
    return warnings;
}

ExitCode examine(Session& session) {
    const auto& state = session.state();
    toolkit::DiscoveryOptions wanted;
    wanted.wanted = state.settings.toolkit.value;
    const auto discovery = toolkit::discover(wanted, state.environment);
    if (!wanted.wanted.empty())
        toolkit::choose(discovery, wanted);
    const auto trials = try_toolkits(state, discovery);
    const bool usable =
        std::any_of(trials.begin(), trials.end(), [](const auto& trial) { return trial.usable; });
    const auto present = devices();
    std::string cache;
    try {
        cache = cache_state(state);
    } catch (const Error& trouble) {
        cache = "not writable: " + trouble.message();
    }
    if (session.options.json) {
        Json tried = Json::array();
        for (const auto& place : discovery.tried) {
            tried.push_back({{"path", place.path.string()},
                             {"found_by", place.found_by},
                             {"outcome", place.outcome}});
        }
        Json list = Json::array();
        for (const auto& trial : trials) {
            list.push_back({{"toolkit", trial.toolkit},
                            {"version", trial.version},
                            {"found_by", trial.found_by},
                            {"backend", trial.backend},
                            {"usable", trial.usable},
                            {"outcome", trial.outcome}});
        }
        print_json(
            {{"usable", usable},
             {"compilers", std::move(list)},
             {"tried", std::move(tried)},
             {"worker", state.worker.string()},
             {"driver",
              present.driver_version.empty() ? Json(nullptr) : Json(present.driver_version)},
             {"driver_warnings", driver_warnings(discovery, present.driver_version)},
             {"devices", present.devices.size()},
             {"device_reason", present.reason},
             {"cache", {{"directory", state.settings.cache_directory.value}, {"state", cache}}},
             {"configurations", state.settings.read},
             {"refused", state.settings.refused}});
        return usable ? ExitCode::done : ExitCode::toolchain;
    }
    Table table{{{{"toolkit"}, {"version"}, {"found by"}, {"compiler"}, {"outcome"}}}};
    for (const auto& trial : trials) {
        table.rows.push_back({{trial.toolkit},
                              {trial.version},
                              {trial.found_by},
                              {trial.backend},
                              {trial.outcome, trial.usable ? Style::good : Style::bad}});
    }
    fmt::print("{}", table.str());
    if (discovery.toolkits.empty() || session.options.verbose) {
        for (const auto& place : discovery.tried)
            fmt::print("looked at {} ({}): {}\n", place.path.string(), place.found_by,
                       place.outcome);
    }
    fmt::print("worker: {}\n", state.worker.empty() ? "not found: compiles run in this process"
                                                    : state.worker.string());
    fmt::print("driver: {}\n", present.driver_version.empty()
                                   ? present.reason
                                   : "serves CUDA " + present.driver_version);
    for (const auto& warning : driver_warnings(discovery, present.driver_version))
        fmt::print("{} {}\n", styled("driver:", Style::warning), warning);
    fmt::print("devices: {}\n", present.devices.size());
    fmt::print("cache: {} ({})\n", state.settings.cache_directory.value, cache);
    for (const auto& file : state.settings.read)
        fmt::print("configuration: {}\n", file);
    for (const auto& reason : state.settings.refused)
        fmt::print("{} {}\n", styled("configuration refused:", Style::warning), reason);
    fmt::print("{}\n", usable ? styled("ready to compile", Style::good)
                              : styled("nothing here can compile", Style::bad));
    return usable ? ExitCode::done : ExitCode::toolchain;
}

} // namespace

void add_doctor(CLI::App& app, Session& session) {
    auto* verb = app.add_subcommand("doctor", "The toolchain check, with a real compile by each");
    verb->callback([&session] { session.action = [&session] { return examine(session); }; });
}

} // namespace kiln::cli
