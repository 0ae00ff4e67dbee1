// SPDX-License-Identifier: Apache-2.0
#include "toolkit/capabilities.h"

#include "base/process.h"
#include "base/text.h"
#include "toolkit/ask_nvcc.h"
#include "toolkit/remembered_answer.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>

namespace kiln::toolkit {
namespace {

bool has(const std::vector<Target>& targets, const Target& target) noexcept {
    const Target real{target.capability, target.suffix, TargetKind::real};
    return std::find(targets.begin(), targets.end(), real) != targets.end();
}

std::string trouble(const base::ProcessResult& result) {
    if (result.timed_out)
        return "no answer in 60 s";
    if (result.exit.signal != 0)
        return fmt::format("ended by signal {}", result.exit.signal);
    const auto reason = base::trim(result.errors);
    return fmt::format("exit status {}{}{}", result.exit.code, reason.empty() ? "" : ": ", reason);
}

/// In a process of its own: NVRTC may crash, and this process may never need it.
Capabilities ask_nvrtc(const Toolkit& toolkit, const AskOptions& options) {
    if (options.worker.empty())
        return ask_nvrtc_here(toolkit.nvrtc, toolkit.builtins);
    Capabilities failed;
    try {
        base::ProcessOptions process;
        process.program = options.worker;
        process.arguments = {"--ask-nvrtc", toolkit.nvrtc.string(), toolkit.builtins.string()};
        process.environment = options.environment;
        process.directory = "/";
        const auto result = base::run_process(process, std::chrono::seconds(60));
        if (auto answer = result.exit.ok() ? from_json(base::trim(result.output)) : std::nullopt)
            return *answer;
        failed.nvrtc_error =
            fmt::format("{} could not be asked what it can do: {}: {}", toolkit.nvrtc.string(),
                        options.worker.string(),
                        result.exit.ok() ? "an answer that is not understood" : trouble(result));
    } catch (const Error& error) {
        failed.nvrtc_error = error.what();
    }
    return failed;
}

} // namespace

bool Capabilities::nvrtc_has(const Target& target) const noexcept {
    return has(nvrtc, target);
}

bool Capabilities::nvcc_has(const Target& target) const noexcept {
    return has(nvcc, target);
}

Capabilities ask_capabilities(const Toolkit& toolkit, const AskOptions& options,
                              base::FileSystem& files) {
    // A part that came or went since the answer was kept makes it stale, whatever its name says.
    auto known = recall(files, options.memory, options.identity);
    if (known && known->nvrtc.empty() == toolkit.nvrtc.empty() &&
        known->nvcc.empty() == toolkit.nvcc.empty())
        return *known;

    Capabilities answer;
    if (!toolkit.nvrtc.empty())
        answer = ask_nvrtc(toolkit, options);
    if (!toolkit.nvcc.empty()) {
        auto nvcc = ask_nvcc(toolkit.nvcc, options.environment);
        answer.nvcc = std::move(nvcc.targets);
        answer.nvcc_error = std::move(nvcc.error);
    }
    remember(files, options.memory, options.identity, answer);
    return answer;
}

} // namespace kiln::toolkit
