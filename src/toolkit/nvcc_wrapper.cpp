// SPDX-License-Identifier: Apache-2.0
#include "toolkit/nvcc_wrapper.h"

#include "base/process.h"
#include "base/text.h"
#include "toolkit/installed_version.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <chrono>
#include <string_view>
#include <system_error>
#include <utility>

namespace kiln::toolkit {
namespace {

namespace fs = std::filesystem;

base::ProcessResult run(const fs::path& nvcc, std::vector<std::string> arguments,
                        const base::Environment& environment) {
    base::ProcessOptions options;
    options.program = nvcc;
    options.arguments = std::move(arguments);
    options.environment = environment;
    options.directory = "/";
    return base::run_process(options, std::chrono::seconds(5));
}

/// A dry run begins with the variables of nvcc.profile: `#$ TOP=/usr/local/cuda/bin/..`.
fs::path home_in(std::string_view dry_run) {
    constexpr std::string_view mark = "#$ TOP=";
    for (const auto line : base::split(dry_run, '\n')) {
        if (!line.starts_with(mark))
            continue;
        std::error_code error;
        auto home = fs::canonical(base::trim(line.substr(mark.size())), error);
        return error ? fs::path{} : home;
    }
    return {};
}

} // namespace

WrapperAnswer ask_wrapper(const fs::path& nvcc, const base::Environment& environment) try {
    WrapperAnswer answer;
    const auto said = run(nvcc, {"--version"}, environment);
    if (said.timed_out) {
        answer.trouble = "an nvcc that did not answer --version in 5 s";
        return answer;
    }
    answer.version = version_in_text(said.output);
    if (!said.exit.ok() || !answer.version) {
        answer.version.reset();
        answer.trouble = "an nvcc that answers --version without one";
        return answer;
    }
    answer.home =
        home_in(run(nvcc, {"--dryrun", "-cubin", "-x", "cu", "/dev/null"}, environment).errors);
    return answer;
} catch (const Error& error) {
    return {std::nullopt, {}, fmt::format("an nvcc that cannot be run: {}", error.message())};
}

} // namespace kiln::toolkit
