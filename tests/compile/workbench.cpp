// SPDX-License-Identifier: Apache-2.0
#include "compile/workbench.h"

#include "base/environment.h"
#include "toolkit/discovery.h"
#include "toolkit/identity.h"

#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <thread>
#include <utility>

namespace kiln::test {

std::optional<toolkit::Toolkit> machine_toolkit(Backend backend) {
    const auto environment = base::Environment::of_process();
    for (const auto& toolkit : toolkit::discover({}, environment).toolkits) {
        if (toolkit.nvrtc.empty() || toolkit.builtins.empty())
            continue;
        if (backend == Backend::nvrtc)
            return toolkit;
        if (!toolkit.nvcc.empty() && !toolkit::find_host_compiler(environment).empty())
            return toolkit;
    }
    std::cerr << "SKIPPED: no CUDA toolkit with "
              << (backend == Backend::nvrtc ? "NVRTC" : "NVCC and a host compiler")
              << " on this machine\n";
    return std::nullopt;
}

Workbench::Workbench(toolkit::Toolkit toolkit)
    : directory_("kiln-test-"), toolkit_(std::move(toolkit)) {}

std::filesystem::path Workbench::write(const std::string& name, std::string_view text) const {
    const auto file = path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
}

compile::Job make_job(const toolkit::Toolkit& toolkit, const std::filesystem::path& source,
                      std::string_view target, Backend backend) {
    compile::Job job;
    job.label = source.stem().string();
    job.backend = backend;
    job.toolkit = toolkit;
    job.source = source;
    job.target = Target::parse(target);
    for (const auto& directory : toolkit.include_directories)
        job.roots.push_back({directory.filename().string(), directory, false});
    if (backend == Backend::nvcc)
        job.host_compiler = toolkit::find_host_compiler(base::Environment::of_process());
    return job;
}

// A constant expression of 2^34 calls; the limit on their depth is not reached.
const std::string_view endless_kernel = R"(
__host__ __device__ constexpr int twice(int depth) {
    return depth == 0 ? 1 : (twice(depth - 1) + twice(depth - 1)) & 1;
}
template <int M, int N> struct Slow {
    static constexpr int value = twice(17 + N % 2) + Slow<M, N - 1>::value;
};
template <int M> struct Slow<M, 0> { static constexpr int value = 0; };
template <int M> struct Slower {
    static constexpr int value = Slow<M, 150>::value + Slower<M - 1>::value;
};
template <> struct Slower<0> { static constexpr int value = 0; };
extern "C" __global__ void k(int* p) { p[0] = Slower<30>::value; }
)";

bool process_runs(int pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto name_end = text.rfind(')');
    return pid > 0 && name_end != std::string::npos && name_end + 2 < text.size() &&
           text[name_end + 2] != 'Z' && text[name_end + 2] != 'X';
}

bool process_outlives_a_second(int pid) {
    for (int tries = 0; tries < 100 && process_runs(pid); ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return process_runs(pid);
}

std::string outcome(const compile::Result& result) {
    if (!result.error)
        return "ok";
    return std::string(to_string(result.error->code())) + ": " + result.error->what();
}

} // namespace kiln::test
