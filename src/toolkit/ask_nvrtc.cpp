// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "toolkit/capabilities.h"
#include "toolkit/nvrtc_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <span>

namespace kiln::toolkit {
namespace {

constexpr const char* empty_kernel = "extern \"C\" __global__ void kiln_probe() {}\n";

struct Attempt {
    nvrtcResult result = NVRTC_ERROR_INTERNAL_ERROR;
    std::string log;
};

std::string read_log(const NvrtcLibrary& library, nvrtcProgram program) {
    std::size_t size = 0;
    if (library.get_program_log_size(program, &size) != NVRTC_SUCCESS || size < 2)
        return {};
    std::string log(size, '\0');
    if (library.get_program_log(program, log.data()) != NVRTC_SUCCESS)
        return {};
    log.resize(log.find('\0'));
    return std::string(base::trim(log));
}

Attempt compile(const NvrtcLibrary& library, const Target& target,
                std::span<const std::string> options) {
    const std::string arch = "-arch=" + target.str();
    std::vector<const char*> arguments{arch.c_str()};
    for (const auto& option : options)
        arguments.push_back(option.c_str());
    Attempt attempt;
    nvrtcProgram program = nullptr;
    attempt.result =
        library.create_program(&program, empty_kernel, "kiln_probe.cu", 0, nullptr, nullptr);
    if (attempt.result != NVRTC_SUCCESS)
        return attempt;
    attempt.result =
        library.compile_program(program, static_cast<int>(arguments.size()), arguments.data());
    attempt.log = read_log(library, program);
    std::size_t size = 0;
    if (attempt.result == NVRTC_SUCCESS &&
        (library.get_cubin_size(program, &size) != NVRTC_SUCCESS || size == 0))
        attempt = {NVRTC_ERROR_COMPILATION, "no cubin came of it"};
    library.destroy_program(&program);
    return attempt;
}

/// What keeps a probe from changing the process: without --no-cache NVRTC opens the driver and its
/// compute cache (it is there since CUDA 12.9), and a compile raises the stack's limit.
std::vector<std::string> quiet_options(const NvrtcLibrary& library, const Target& target,
                                       Attempt& attempt) {
    std::vector<std::string> options{"--no-cache", "-modify-stack-limit=false"};
    while (true) {
        attempt = compile(library, target, options);
        if (attempt.result != NVRTC_ERROR_INVALID_OPTION || options.empty())
            return options;
        options.erase(options.begin());
    }
}

void ask(const NvrtcLibrary& library, Capabilities& answer) {
    int major = 0;
    int minor = 0;
    library.version(&major, &minor);
    answer.nvrtc_version = fmt::format("{}.{}", major, minor);
    int count = 0;
    library.get_num_supported_archs(&count);
    std::vector<int> numbers(static_cast<std::size_t>(std::max(count, 0)));
    if (numbers.empty() || library.get_supported_archs(numbers.data()) != NVRTC_SUCCESS) {
        answer.nvrtc_error = fmt::format("{} names no targets", library.path.string());
        return;
    }

    Attempt attempt;
    const Target first{ComputeCapability::from_number(numbers.front()), Suffix::none,
                       TargetKind::real};
    const auto options = quiet_options(library, first, attempt);
    if (attempt.result != NVRTC_SUCCESS) {
        answer.nvrtc_error = fmt::format(
            "{} cannot compile an empty kernel for {}: {}{}{}", library.path.string(), first.str(),
            library.get_error_string(attempt.result), attempt.log.empty() ? "" : ": ", attempt.log);
        return;
    }
    for (const int number : numbers) {
        const auto capability = ComputeCapability::from_number(number);
        answer.nvrtc.push_back({capability, Suffix::none, TargetKind::real});
        for (const Suffix suffix : {Suffix::a, Suffix::f}) {
            const Target target{capability, suffix, TargetKind::real};
            if (compile(library, target, options).result == NVRTC_SUCCESS)
                answer.nvrtc.push_back(target);
        }
    }
    std::sort(answer.nvrtc.begin(), answer.nvrtc.end());
}

} // namespace

Capabilities ask_nvrtc_here(const std::filesystem::path& nvrtc,
                            const std::filesystem::path& builtins) {
    Capabilities answer;
    try {
        ask(*NvrtcLibrary::open(nvrtc, builtins), answer);
    } catch (const std::exception& error) {
        answer.nvrtc.clear();
        answer.nvrtc_error = error.what();
    }
    return answer;
}

} // namespace kiln::toolkit
