// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "cli/json_output.h"
#include "cli/session.h"
#include "cli/standard_streams.h"
#include "cli/terminal.h"

#include <kiln/version.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <system_error>

namespace kiln::cli {
namespace {

void add_global_options(CLI::App& app, GlobalOptions& options) {
    app.add_option("--config", options.configurations, "Configuration file")->type_name("FILE");
    app.add_option("--policy", options.policies, "Policy file; a later one wins")
        ->type_name("FILE");
    app.add_option("--catalog", options.catalogs, "Catalog file or directory")
        ->type_name("FILE|DIR");
    app.add_option("-I", options.include_path, "Include directory, searched first, in order")
        ->type_name("DIR");
    app.add_option("--experimental", options.experiments,
                   "Opt in to experimental rules of the policy, by name or glob")
        ->type_name("RULE");
    app.add_option("--variable", options.variables,
                   "A value for ${NAME} in configurations and catalogs")
        ->type_name("NAME=VALUE");
    app.add_option("--toolkit", options.toolkit, "CUDA toolkit to use")->type_name("PATH|VERSION");
    app.add_option("--cache-dir", options.cache_directory, "Cache directory")->type_name("DIR");
    app.add_option("--arch", options.arch,
                   "Capabilities (12.0) or targets (sm_120f), comma separated; all: what the "
                   "toolkit reports; native: the devices present")
        ->type_name("LIST");
    app.add_option("--arch-from", options.arch_from,
                   "The archs from a list as torch, flashinfer or cmake write it; without =LIST "
                   "from TORCH_CUDA_ARCH_LIST, FLASHINFER_CUDA_ARCH_LIST, "
                   "CMAKE_CUDA_ARCHITECTURES")
        ->type_name("SYNTAX[=LIST]");
    app.add_option("--jobs", options.jobs, "Compiles at once")
        ->type_name("N")
        ->check(CLI::Range(1u, 1024u));
    app.add_flag("--sealed", options.sealed, "A miss is an error; compile nothing");
    app.add_flag("--strict", options.strict, "Cache trouble is an error");
    app.add_flag("--allow-skips", options.allow_skips, "Refused and skipped kernels are no error");
    app.add_flag("--trust-project", options.trust_project,
                 "The project's kiln.yaml may choose toolkit, host compiler and cache");
    app.add_flag("--json", options.json, "Machine-readable output");
    app.add_flag("-v,--verbose", options.verbose, "Say more");
    app.add_flag("-q,--quiet", options.quiet, "Say only errors");
    for (auto* option : app.get_options()) {
        if (option->get_items_expected_max() > 1) {
            option->take_all();
            // One value each time, so that a positional argument may follow.
            option->expected(1);
            option->take_all();
            option->allow_extra_args(false);
        }
    }
}

ExitCode report(const Error& error, const GlobalOptions& options) {
    if (options.json)
        print_json({{"error", to_json(error)}});
    print_error(error, options.verbose);
    return exit_code_of(error.code());
}

int run(int argc, char** argv) {
    Session session;
    CLI::App app{"kiln: compiles CUDA sources to cubins for the GPU at hand, and says why", "kiln"};
    app.set_version_flag("--version", std::string("kiln ") + KILN_VERSION);
    app.require_subcommand(1);
    add_global_options(app, session.options);
    add_devices(app, session);
    add_doctor(app, session);
    add_modules(app, session);
    add_explain(app, session);
    add_policy(app, session);
    add_which(app, session);
    add_graph(app, session);
    add_warm(app, session);
    add_compile(app, session);
    add_cache(app, session);
    for (auto* verb : app.get_subcommands({})) {
        // Global options may stand after the verb too.
        verb->fallthrough();
        for (auto* second : verb->get_subcommands({}))
            second->fallthrough();
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        app.exit(error);
        return static_cast<int>(ExitCode::usage);
    }
    if (session.options.verbose)
        base::set_log_level("info");
    if (session.options.quiet)
        base::set_log_level("error");
    try {
        return static_cast<int>(session.action());
    } catch (const Error& error) {
        return static_cast<int>(report(error, session.options));
    }
}

/// The exit code, with a message for what is no Error of Kiln's own.
int run_and_explain(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::system_error& error) {
        // What the system refused is no verdict on a kernel. An output that cannot be written
        // is said once, at the end.
        if (std::ferror(stdout) == 0)
            std::fprintf(stderr, "kiln: %s\n", error.what());
        return static_cast<int>(ExitCode::usage);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kiln: %s\n", error.what());
        return static_cast<int>(ExitCode::compile_failed);
    }
}

} // namespace
} // namespace kiln::cli

int main(int argc, char** argv) {
    using namespace kiln::cli;
    prepare_standard_streams();
    const int code = run_and_explain(argc, argv);
    if (const auto trouble = finish_standard_output()) {
        std::fprintf(stderr, "kiln: cannot write to standard output: %s\n",
                     trouble.message().c_str());
        return static_cast<int>(ExitCode::usage);
    }
    return code;
}
