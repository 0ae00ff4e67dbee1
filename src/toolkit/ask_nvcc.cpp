// SPDX-License-Identifier: Apache-2.0
#include "toolkit/ask_nvcc.h"

#include "base/process.h"
#include "base/text.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>

namespace kiln::toolkit {
namespace {

/// The nvcc that is asked, with an environment that does not speak for it.
class Nvcc {
  public:
    Nvcc(const std::filesystem::path& program, const base::Environment& environment) {
        options_.program = program;
        options_.environment = environment;
        options_.environment.unset("NVCC_PREPEND_FLAGS");
        options_.environment.unset("NVCC_APPEND_FLAGS");
        options_.directory = "/";
    }

    base::ProcessResult run(std::vector<std::string> arguments) {
        options_.arguments = std::move(arguments);
        return base::run_process(options_, std::chrono::seconds(10));
    }

    base::ProcessResult dry_run(const Target& target) {
        return run({"--dryrun", "-cubin", "-arch=" + target.str(), "-x", "cu", "/dev/null", "-o",
                    "/dev/null"});
    }

    std::string name() const { return options_.program.string(); }

  private:
    base::ProcessOptions options_;
};

/// What went wrong, in one line.
std::string trouble(const Nvcc& nvcc, std::string_view doing, const base::ProcessResult& result) {
    std::string_view reason;
    for (const auto line : base::split(result.errors, '\n'))
        if (!base::trim(line).empty() && !line.starts_with("#$"))
            reason = base::trim(line);
    std::string end = fmt::format("exit status {}", result.exit.code);
    if (result.timed_out)
        end = "no answer in 10 s";
    else if (result.exit.signal != 0)
        end = fmt::format("ended by signal {}", result.exit.signal);
    return fmt::format("{} {}: {}{}{}", nvcc.name(), doing, end, reason.empty() ? "" : ": ",
                       reason);
}

std::vector<Target> targets_in(std::string_view output) {
    std::vector<Target> targets;
    for (const auto line : base::split(output, '\n')) {
        const auto word = base::trim(line);
        if (!word.starts_with("sm_") && !word.starts_with("compute_"))
            continue;
        try {
            auto target = Target::parse(word);
            target.kind = TargetKind::real;
            targets.push_back(target);
        } catch (const Error&) {
            // A spelling that this version of Kiln cannot ask for either.
        }
    }
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    return targets;
}

/// Whether a dry run ended because of the target, and not of what the machine lacks.
bool refused(const base::ProcessResult& result) {
    return result.errors.find("nsupported gpu architecture") != std::string::npos ||
           result.errors.find("is not defined for option") != std::string::npos;
}

void add_suffixed(Nvcc& nvcc, bool working, std::vector<Target>& targets) {
    const auto plain = targets;
    for (const auto& base : plain) {
        if (base.suffix != Suffix::none)
            continue;
        for (const Suffix suffix : {Suffix::a, Suffix::f}) {
            const Target target{base.capability, suffix, TargetKind::real};
            const auto result = nvcc.dry_run(target);
            if (result.exit.ok() || (!working && !result.timed_out && !refused(result)))
                targets.push_back(target);
        }
    }
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
}

} // namespace

NvccAnswer ask_nvcc(const std::filesystem::path& program,
                    const base::Environment& environment) try {
    NvccAnswer answer;
    Nvcc nvcc(program, environment);
    const auto listed = nvcc.run({"--list-gpu-code"});
    answer.targets = targets_in(listed.output);
    // Older releases and some wrappers know this list alone.
    if (!listed.timed_out && answer.targets.empty())
        answer.targets = targets_in(nvcc.run({"--list-gpu-arch"}).output);
    if (answer.targets.empty()) {
        answer.error = trouble(nvcc, "does not list its targets", listed);
        return answer;
    }
    const auto plain = nvcc.dry_run(answer.targets.front());
    if (!plain.exit.ok())
        answer.error = trouble(nvcc, "cannot compile an empty file", plain);
    if (!plain.timed_out)
        add_suffixed(nvcc, plain.exit.ok(), answer.targets);
    return answer;
} catch (const Error& error) {
    return {{}, error.what()};
}

} // namespace kiln::toolkit
