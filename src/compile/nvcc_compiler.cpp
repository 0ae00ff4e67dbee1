// SPDX-License-Identifier: Apache-2.0
#include "compile/nvcc_compiler.h"

#include "base/process.h"
#include "base/temporary_directory.h"
#include "compile/accept.h"
#include "compile/diagnostics.h"
#include "compile/nvcc_input.h"
#include "compile/nvcc_names.h"
#include "compile/opened_files.h"
#include "compile/source_text.h"

#include <fmt/format.h>

#include <csignal>
#include <string_view>
#include <utility>

namespace kiln::compile {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t file_limit = 1u << 30;

std::string read_file(const fs::path& path) {
    std::error_code error;
    const auto bytes = base::real_file_system().read(path, file_limit, error);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void write_file(const fs::path& path, std::string_view text) {
    std::error_code error;
    base::real_file_system().write_new(path, std::as_bytes(std::span(text)), error);
    if (error)
        throw Error(ErrorCode::io,
                    fmt::format("cannot write {} for nvcc: {}", path.string(), error.message()),
                    "free space where temporary files go, or set TMPDIR");
}

// The one intermediate file with this ending, as --keep names it after the unit.
std::string read_kept(const fs::path& directory, std::string_view ending) {
    std::error_code error;
    for (const auto& name : base::real_file_system().list(directory, error)) {
        if (name.ends_with(ending))
            return read_file(directory / name);
    }
    return {};
}

void check_tools(const Job& job) {
    if (job.toolkit.nvcc.empty())
        throw Error(ErrorCode::toolkit_unfit,
                    fmt::format("the toolkit {} has no nvcc", job.toolkit.root.string()),
                    "install the compiler package of the toolkit, or use the NVRTC backend");
    if (job.host_compiler.empty())
        throw Error(ErrorCode::toolkit_unfit, "nvcc needs a host C++ compiler and there is none",
                    "install g++, name one in NVCC_CCBIN, or use the NVRTC backend");
    check_shell_safe(job.toolkit.nvcc, "its own path");
}

base::ProcessOptions process_options(const Job& job, const fs::path& directory, bool own_group) {
    base::ProcessOptions options;
    options.program = job.toolkit.nvcc;
    options.arguments = {"--options-file", nvcc_files::options};
    options.environment = job.environment;
    options.environment.set("TMPDIR", directory.string());
    // GCC's own words are what diagnostics are read from.
    options.environment.set("LC_ALL", "C");
    if (!options.environment.get("PATH"))
        options.environment.set("PATH", "/usr/local/bin:/usr/bin:/bin");
    options.directory = directory;
    options.own_group = own_group;
    return options;
}

void check_end(const Job& job, const base::ProcessResult& process, const std::string& log) {
    const auto fail = [&](ErrorCode code, std::string message, std::string hint) {
        throw Error(code, std::move(message), std::move(hint), {{"log", bounded_log(log)}});
    };
    if (process.timed_out)
        fail(ErrorCode::timed_out,
             fmt::format("{} for {}: nvcc ran past its limit of {} s and was ended", job.label,
                         job.target.str(), static_cast<double>(job.time_limit.count()) / 1000),
             "raise the limit, or look for templates without an end in the source");
    if (process.cancelled)
        fail(ErrorCode::cancelled, fmt::format("{} for {}: cancelled", job.label, job.target.str()),
             {});
    if (process.exit.signal != 0)
        fail(ErrorCode::compiler_crashed,
             fmt::format("{} for {}: nvcc was ended by signal {}", job.label, job.target.str(),
                         process.exit.signal),
             process.exit.signal == SIGKILL
                 ? "most likely the system was short of memory: compile fewer at once"
                 : "");
}

} // namespace

NvccCompiler::NvccCompiler(CompilerOptions options) : options_(options) {}

// False where nvcc refused to have the path pinned.
bool NvccCompiler::attempt(const Job& job, const std::function<bool()>& cancelled, Result& result) {
    const bool pin = !unpinned_.contains(job.toolkit.nvcc);
    const auto input = make_nvcc_input(job, pin);
    const base::TemporaryDirectory scratch("kiln-nvcc-",
                                           job.environment.get("TMPDIR").value_or(""));
    const auto& directory = scratch.path();
    check_shell_safe(directory, "the temporary directory");
    std::error_code error;
    base::real_file_system().make_directories(directory / nvcc_files::intermediate, error);
    write_file(directory / input.unit_name, input.unit);
    write_file(directory / nvcc_files::options, input.options + input.unit_name + '\n');
    if (!input.macros.empty())
        write_file(directory / nvcc_files::macros, input.macros);

    const auto process = base::run_process(process_options(job, directory, options_.own_group),
                                           job.time_limit, cancelled);
    result.seconds = process.seconds;
    result.log = process.output + process.errors;
    if (pin && !process.exit.ok() && result.log.find("orig_src_path_name") != std::string::npos) {
        unpinned_.insert(job.toolkit.nvcc);
        return false;
    }

    const auto kept = directory / nvcc_files::intermediate;
    result.opened = {job.source};
    if (auto opened = parse_line_markers(read_kept(kept, ".cpp1.ii"))) {
        result.opened_exact = true;
        respell(*opened, job.roots);
        for (auto& path : *opened) {
            if (path != job.source)
                result.opened.push_back(std::move(path));
        }
    }
    check_end(job, process, result.log);
    if (!process.exit.ok())
        throw explain_failure(job, result.log);

    const bool virtual_target = job.target.kind == TargetKind::virtual_;
    const auto output = read_file(directory / nvcc_files::output);
    const auto ptx = virtual_target ? output : read_kept(kept, ".ptx");
    const auto lowered = read_name_markers(ptx, job.kernels);
    if (job.want_ptx || virtual_target)
        result.ptx = without_name_markers(ptx);
    if (!virtual_target) {
        const auto bytes = std::as_bytes(std::span(output));
        result.cubin.assign(bytes.begin(), bytes.end());
    }
    accept(job, lowered, result);
    return true;
}

Result NvccCompiler::run(const Job& job, const std::function<bool()>& cancelled) {
    Result result;
    guarded(job, result, [&] {
        check_tools(job);
        source_text(job.source); // for its refusals: both backends take the same sources
        while (!attempt(job, cancelled, result)) {
        }
    });
    return result;
}

std::unique_ptr<Compiler> make_nvcc_compiler(CompilerOptions options) {
    return std::make_unique<NvccCompiler>(options);
}

} // namespace kiln::compile
