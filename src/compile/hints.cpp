// SPDX-License-Identifier: Apache-2.0
#include "base/file_system.h"
#include "base/text.h"
#include "compile/diagnostics.h"
#include "compile/kernel_names.h"
#include "toolkit/ptx_forms.h"
#include "toolkit/target_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kiln::compile {

namespace {

bool holds(std::string_view text, std::string_view part) noexcept {
    return text.find(part) != std::string_view::npos;
}

// Headers of the C and C++ standard libraries that kernels are seen to include.
bool is_standard_header(std::string_view name) noexcept {
    static constexpr std::array<std::string_view, 52> names{
        "algorithm",     "array",    "atomic",    "bit",         "bitset",
        "cassert",       "cfloat",   "chrono",    "climits",     "cmath",
        "complex",       "concepts", "cstddef",   "cstdint",     "cstdio",
        "cstdlib",       "cstring",  "exception", "functional",  "initializer_list",
        "iostream",      "iterator", "limits",    "map",         "memory",
        "mutex",         "numeric",  "optional",  "ostream",     "random",
        "ratio",         "span",     "sstream",   "stdexcept",   "string",
        "string_view",   "thread",   "tuple",     "type_traits", "typeinfo",
        "unordered_map", "utility",  "variant",   "vector",      "assert.h",
        "float.h",       "limits.h", "math.h",    "stddef.h",    "stdint.h",
        "stdio.h",       "string.h"};
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string header_hint(const Job& job, const std::string& header) {
    constexpr std::array<std::string_view, 5> cccl{"cuda/", "cub/", "thrust/", "nv/", "libcudacxx"};
    if (job.backend == Backend::nvrtc && is_standard_header(header))
        return fmt::format("NVRTC has no C++ standard library, and the host's does not parse there "
                           "(-I/usr/include fails deeper): include <cuda/std/...> instead, put a "
                           "directory of stand-ins on the path, or use the nvcc backend");
    if (std::any_of(cccl.begin(), cccl.end(),
                    [&](std::string_view part) { return header.starts_with(part); }))
        return "this header belongs to CCCL: its directory must be among the include roots "
               "(<toolkit>/include/cccl since CUDA 13.0, <toolkit>/include before)";
    if (header == "cuda_runtime.h" || header.starts_with("cuda_fp") ||
        header.starts_with("cuda_bf16") || header.starts_with("cooperative_groups") ||
        header == "mma.h")
        return "this header belongs to the toolkit: <toolkit>/include must be among the include "
               "roots";
    return "add the directory that holds it to the include roots";
}

/// The targets that take what ptxas refuses in this message, or an empty text.
std::string accepting_targets(std::string_view message) {
    const auto open = message.find('\'');
    const auto close = message.find('\'', open + 1);
    if (open == std::string_view::npos || close == std::string_view::npos)
        return {};
    const auto targets = toolkit::targets_accepting(message.substr(open + 1, close - open - 1));
    std::vector<std::string> names;
    for (const auto& target : targets)
        names.push_back(target.str());
    return base::join(names, ", ");
}

std::string suffix_hint(const Job& job, const FirstError& error) {
    const bool refused = error.text.find("not supported on .target") != std::string::npos ||
                         error.text.find("requires .target") != std::string::npos;
    if (!refused)
        return {};
    if (auto known = accepting_targets(error.text); !known.empty())
        return fmt::format(
            "with CUDA 13.0 ptxas takes this instruction for {}; ask for one of them "
            "that the device runs, or guard the code",
            known);
    const auto number = job.target.capability.number();
    if (job.target.suffix == Suffix::none && number >= 100)
        return fmt::format("the instruction may need a suffixed target: sm_{0}a or sm_{0}f "
                           "instead of sm_{0}",
                           number);
    if (job.target.suffix == Suffix::none && number >= 90)
        return fmt::format("the instruction may need a suffixed target: sm_{0}a instead of sm_{0}",
                           number);
    return fmt::format("{} has no such instruction: guard the code, or deny the module for this "
                       "target",
                       job.target.str());
}

std::string nvrtc_hint(const FirstError& error) {
    const bool device_library = holds(error.location, "/cub/") || holds(error.location, "/thrust/");
    if (holds(error.text, "not allowed in JIT mode") && device_library)
        return "umbrella headers such as <cub/cub.cuh> hold host code: include the one header "
               "that is used, <cub/block/block_reduce.cuh> for instance, or use the nvcc backend";
    if (holds(error.text, "execution space annotations"))
        return "mark the function __device__, or add the option -default-device";
    if (error.location.starts_with("/usr/include/"))
        return "NVRTC cannot parse the host's library headers: take /usr/include off the path";
    return {};
}

std::string declared_in(const Job& job) {
    std::error_code error;
    constexpr std::uint64_t limit = 16u << 20;
    const auto bytes = base::real_file_system().read(job.source, limit, error);
    const auto names = declared_kernels(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()}); // NOLINT: bytes are text
    if (names.empty())
        return {};
    return fmt::format("{} declares {}", job.source.filename().string(), base::join(names, ", "));
}

} // namespace

std::string hint_for(const Job& job, const FirstError& error, std::string_view log) {
    if (const auto header = missing_header(error); !header.empty())
        return header_hint(job, header);
    if (error.location.starts_with("__nv_name_map") || error.location.starts_with("kiln_kernel_"))
        return declared_in(job);
    if (auto hint = suffix_hint(job, error); !hint.empty())
        return hint;
    if (holds(log, "invalid value for --gpu-architecture") || holds(log, "--nv_arch flag") ||
        holds(error.text, "Unsupported gpu architecture"))
        return toolkit::toolkits_with(job.target);
    if (holds(log, "died due to signal 9") || holds(log, "Killed signal"))
        return "the system killed a part of nvcc, most likely for memory: compile fewer at once";
    if (holds(error.text, "unsupported GNU version") || holds(error.text, "unsupported clang"))
        return fmt::format("{} is not a host compiler that this nvcc accepts: name another "
                           "(NVCC_CCBIN), or use the NVRTC backend, which needs none",
                           job.host_compiler.string());
    if (holds(log, "No space left on device"))
        return "free space where temporary files go, or set TMPDIR";
    return job.backend == Backend::nvrtc ? nvrtc_hint(error) : std::string();
}

} // namespace kiln::compile
