// SPDX-License-Identifier: Apache-2.0
#include "base/file_system.h"
#include "cli/build_report.h"
#include "cli/json_output.h"
#include "cli/session.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::string source;
    std::vector<std::string> defines;
    std::vector<std::string> kernels;
    std::vector<std::string> options;
    std::string output;
    std::string emit = "cubin";
};

/// Where the result for one target goes: the file named, or `<stem>.<target>.<kind>` in the
/// directory named; empty where no output was asked for.
fs::path output_path(const Arguments& arguments, const std::string& target, bool directory) {
    if (arguments.output.empty())
        return {};
    if (!directory)
        return arguments.output;
    return fs::path(arguments.output) / fmt::format("{}.{}.{}",
                                                    fs::path(arguments.source).stem().string(),
                                                    target, arguments.emit);
}

void write_output(const fs::path& path, std::span<const std::byte> bytes) {
    std::error_code error;
    base::publish_replace(base::real_file_system(), path, bytes, error);
    if (error) {
        throw Error(ErrorCode::usage,
                    fmt::format("cannot write {}: {}", path.string(), error.message()));
    }
}

void write_outputs(const Arguments& arguments, std::span<const WarmResult> results) {
    if (arguments.output.empty())
        return;
    std::error_code error;
    const bool directory = results.size() > 1 || fs::is_directory(arguments.output, error) ||
                           arguments.output.ends_with('/');
    if (directory) {
        fs::create_directories(arguments.output, error);
        if (error) {
            throw Error(ErrorCode::usage, fmt::format("cannot make the directory {}: {}",
                                                      arguments.output, error.message()));
        }
    }
    for (const auto& result : results) {
        if (!result.cubin)
            continue;
        const auto path = output_path(arguments, result.target, directory);
        if (arguments.emit == "ptx")
            write_output(path, std::as_bytes(std::span(result.cubin->ptx)));
        else
            write_output(path, result.cubin->image());
    }
}

ExitCode compile(Session& session, const Arguments& arguments) {
    Request request;
    request.source = arguments.source;
    request.defines = arguments.defines;
    request.kernels = arguments.kernels;
    request.options = arguments.options;
    auto archs = session.archs();
    std::vector<std::pair<Request, ArchRequest>> pairs;
    for (auto& arch : archs) {
        arch.with_ptx = arch.with_ptx || arguments.emit == "ptx";
        pairs.emplace_back(request, arch);
    }
    const auto results = session.service().warm(pairs, progress_of(session.options));
    write_outputs(arguments, results);
    if (session.options.json) {
        print_json(to_json(results));
    } else {
        print_failures(results, session.options);
        for (const auto& result : results) {
            if (result.cubin && !session.options.quiet)
                fmt::print("{} {}\n", result.target,
                           result.cubin->entry.empty() ? "(not cached)" : result.cubin->entry);
        }
    }
    return exit_code_of(results, session.options);
}

} // namespace

void add_compile(CLI::App& app, Session& session) {
    auto* verb = app.add_subcommand("compile", "Compile one source; no catalog needed");
    auto arguments = std::make_shared<Arguments>();
    verb->add_option("source", arguments->source, "CUDA C++ source")->required();
    verb->add_option("-D", arguments->defines, "Define a macro")
        ->type_name("NAME[=VALUE]")
        ->expected(1)
        ->take_all();
    verb->add_option("--kernel", arguments->kernels,
                     "A kernel that must be there: a name, or a template expression")
        ->type_name("EXPR")
        ->expected(1)
        ->take_all();
    verb->add_option("--option", arguments->options, "A compiler option, as the policy takes it")
        ->type_name("OPTION")
        ->expected(1)
        ->take_all();
    verb->add_option("-o", arguments->output, "Write here; a directory for several targets")
        ->type_name("FILE|DIR");
    verb->add_option("--emit", arguments->emit, "cubin or ptx")
        ->check(CLI::IsMember({"cubin", "ptx"}));
    verb->callback([&session, arguments] {
        session.action = [&session, arguments] { return compile(session, *arguments); };
    });
}

} // namespace kiln::cli
