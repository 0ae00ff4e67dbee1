// SPDX-License-Identifier: Apache-2.0
#include "compile/workbench.h"
#include "worker/pool.h"
#include "worker/processes.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

using namespace kiln;

namespace {

long resident_kib(int pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:"))
            return std::stol(line.substr(6));
    }
    return 0;
}

} // namespace

TEST_CASE("a worker's memory stays flat over many compiles, half of them failing") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const test::Workbench bench(*toolkit);
    std::filesystem::create_directory(bench.path() / "tmp");
    worker::PoolOptions options;
    options.program = KILN_WORKER_PROGRAM;
    options.environment = base::Environment::of_process();
    options.environment.set("TMPDIR", (bench.path() / "tmp").string());
    worker::Pool pool(options);
    const auto good = bench.write("good.cu", test::trivial_kernel);
    const auto bad = bench.write("bad.cu", "__global__ void k() { undefined_name; }\n");
    long settled = 0;
    constexpr int first = 20;
    constexpr int rounds = 120;
    for (int i = 0; i < rounds; ++i) {
        auto job = bench.job(i % 2 == 0 ? good : bad, "sm_90");
        job.options = {"-DN=" + std::to_string(i)};
        CHECK(pool.run(job).error.has_value() == (i % 2 != 0));
        if (i == first)
            settled = resident_kib(test::processes_with((bench.path() / "tmp").string()).at(0));
    }
    const long end = resident_kib(test::processes_with((bench.path() / "tmp").string()).at(0));
    MESSAGE("resident: ", settled, " KiB after ", first, " compiles, ", end, " after ", rounds);
    CHECK(end - settled < 20 * 1024);
}
