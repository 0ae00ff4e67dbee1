// SPDX-License-Identifier: Apache-2.0
#include "compile/workbench.h"
#include "worker/memory_limit.h"
#include "worker/pool.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <vector>

using namespace kiln;

namespace {

rlim_t limit_now() {
    rlimit limit{};
    ::getrlimit(RLIMIT_DATA, &limit);
    return limit.rlim_cur;
}

} // namespace

TEST_CASE("the limit holds for one job and is lifted again") {
    const auto before = limit_now();
    {
        const worker::MemoryLimit limit(1u << 30);
        CHECK(limit_now() >= 1u << 30);
        CHECK(limit_now() < 1ULL << 40);
    }
    CHECK(limit_now() == before);
    {
        const worker::MemoryLimit none(0);
        CHECK(limit_now() == before);
    }
}

TEST_CASE("a compile that needs more than its limit fails alone and says so") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const test::Workbench bench(*toolkit);
    worker::PoolOptions options;
    options.program = KILN_WORKER_PROGRAM;
    options.environment = base::Environment::of_process();
    worker::Pool pool(options);
    auto job =
        bench.job(bench.write("k.cu", "#include <cuda/std/tuple>\n"
                                      "extern \"C\" __global__ void k(int* p) {\n"
                                      "    p[0] = cuda::std::get<0>(cuda::std::make_tuple(1));\n"
                                      "}\n"),
                  "sm_90");
    job.memory_limit = 8u << 20;
    const auto starved = pool.run(job);
    REQUIRE(starved.error);
    CAPTURE(std::string(starved.error->what()));
    CHECK(starved.error->message().find("8 MiB of memory") != std::string::npos);
    job.memory_limit = 4ULL << 30;
    CHECK(test::outcome(pool.run(job)) == "ok");
    job.memory_limit = 0;
    CHECK(test::outcome(pool.run(job)) == "ok");
}
