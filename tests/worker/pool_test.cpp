// SPDX-License-Identifier: Apache-2.0
#include "compile/workbench.h"
#include "worker/pool.h"
#include "worker/processes.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

using namespace kiln;
using namespace kiln::worker;
using test::eventually;
using test::outcome;
using test::processes_with;
using test::Workbench;
namespace fs = std::filesystem;

namespace {

/// A pool whose workers' temporary files and processes can be told from all others.
struct Site {
    explicit Site(const toolkit::Toolkit& toolkit, unsigned jobs = 1,
                  fs::path program = KILN_WORKER_PROGRAM)
        : bench(toolkit), temporary(bench.path() / "tmp") {
        fs::create_directory(temporary);
        options.program = std::move(program);
        options.jobs = jobs;
        options.environment = base::Environment::of_process();
        options.environment.set("TMPDIR", temporary.string());
        pool.emplace(options);
        source = bench.write("k.cu", test::trivial_kernel);
    }
    std::vector<int> processes() const { return processes_with(temporary.string()); }
    /// The first of the workers among them.
    int worker() const {
        for (const int pid : processes()) {
            std::string name;
            std::ifstream("/proc/" + std::to_string(pid) + "/comm") >> name;
            if (name == "kiln-worker")
                return pid;
        }
        FAIL("no worker");
        return 0;
    }
    std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(temporary), {}); }
    compile::Job endless(Backend backend = Backend::nvrtc) const {
        return bench.job(bench.write("endless.cu", test::endless_kernel), "sm_90", backend);
    }

    Workbench bench;
    fs::path temporary;
    fs::path source;
    PoolOptions options;
    std::optional<Pool> pool;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

TEST_CASE("a worker gives what the compiler gives, is kept, and ends with the pool") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    Site site(*toolkit);
    const auto job = site.bench.job(site.source, "sm_90");
    const auto here = compile::make_compiler()->run(job, {});
    CHECK(site.processes().empty());
    const auto there = site.pool->run(job);
    REQUIRE(outcome(there) == "ok");
    CHECK(there.cubin == here.cubin);
    CHECK(there.opened == here.opened);
    CHECK(there.opened_exact);
    CHECK(there.kernels.size() == 1);
    const auto workers = site.processes();
    REQUIRE(workers.size() == 1);
    CHECK(outcome(site.pool->run(job)) == "ok");
    CHECK(site.processes() == workers);
    site.pool.reset();
    CHECK(site.processes().empty());
    CHECK(site.files() == 0);
}

TEST_CASE("a refusal arrives with its code, hint and context, and the worker goes on") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    Site site(*toolkit);
    const auto source = site.bench.write("e.cu", "#include <type_traits>\n");
    const auto result = site.pool->run(site.bench.job(source, "sm_90"));
    REQUIRE(result.error);
    CHECK(result.error->code() == ErrorCode::header_missing);
    CHECK(result.error->context("header") == "type_traits");
    CHECK_FALSE(result.error->hint().empty());
    const auto workers = site.processes();
    CHECK(outcome(site.pool->run(site.bench.job(site.source, "sm_90"))) == "ok");
    CHECK(site.processes() == workers);
}

TEST_CASE("at most `jobs` workers, and as many side by side") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    Site site(*toolkit, 4);
    auto job = site.endless();
    job.time_limit = std::chrono::seconds(60); // not reached
    std::atomic<bool> stop = false;
    std::vector<std::string> outcomes(6);
    std::vector<std::thread> threads;
    for (auto& text : outcomes)
        threads.emplace_back(
            [&] { text = outcome(site.pool->run(job, [&] { return stop.load(); })); });
    CHECK(eventually([&] { return site.processes().size() == 4; }, 30));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    CHECK(site.processes().size() == 4);
    const auto begin = std::chrono::steady_clock::now();
    stop = true; // those that compile, and those that wait for a place
    for (auto& thread : threads)
        thread.join();
    CHECK(seconds_since(begin) < 20); // not the job's minute, however loaded the machine
    for (const auto& text : outcomes)
        CHECK(text.starts_with("cancelled"));
    CHECK(site.files() == 0);
}

TEST_CASE("four threads of work give four results") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    Site site(*toolkit, 4);
    std::vector<std::string> outcomes(12);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            for (unsigned j = 0; j < 3; ++j) {
                auto job = site.bench.job(site.source, i % 2 == 0 ? "sm_90" : "sm_120a");
                job.options = {"-DN=" + std::to_string(j)};
                outcomes[i * 3 + j] = outcome(site.pool->run(job));
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    for (const auto& text : outcomes)
        CHECK(text == "ok");
    CHECK(site.processes().size() <= 4);
}

TEST_CASE("a job past its limit is ended with its compiler, costs itself alone, leaves nothing") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    Site site(*toolkit);
    for (const auto backend : {Backend::nvrtc, Backend::nvcc}) {
        CAPTURE((backend == Backend::nvcc));
        auto job = site.endless(backend);
        job.time_limit = std::chrono::milliseconds(2500);
        const auto begin = std::chrono::steady_clock::now();
        const auto result = site.pool->run(job);
        CHECK(seconds_since(begin) < 20);
        REQUIRE(result.error);
        CHECK(result.error->code() == ErrorCode::timed_out);
        CHECK(result.error->context("module") == "endless");
        CHECK(eventually([&] { return site.processes().empty(); }, 5));
        CHECK(site.files() == 0);
        CHECK(outcome(site.pool->run(site.bench.job(site.source, "sm_90"))) == "ok");
    }
}

TEST_CASE("a worker that is killed in the middle of a job is a crash of that job") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    Site site(*toolkit);
    for (const auto backend : {Backend::nvrtc, Backend::nvcc}) {
        compile::Result result;
        std::thread caller([&] { result = site.pool->run(site.endless(backend)); });
        const std::size_t at_work = backend == Backend::nvcc ? 2 : 1;
        REQUIRE(eventually([&] { return site.processes().size() >= at_work; }, 30));
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        ::kill(site.worker(), SIGKILL);
        caller.join();
        REQUIRE(result.error);
        CHECK(result.error->code() == ErrorCode::compiler_crashed);
        CHECK(result.error->context("signal") == "9");
        CHECK(eventually([&] { return site.processes().empty(); }, 5));
        CHECK(site.files() == 0);
    }
    CHECK(outcome(site.pool->run(site.bench.job(site.source, "sm_90"))) == "ok");
}

TEST_CASE("an idle worker that has died is replaced without a word") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    Site site(*toolkit);
    const auto job = site.bench.job(site.source, "sm_90");
    CHECK(outcome(site.pool->run(job)) == "ok");
    const auto before = site.processes();
    REQUIRE(before.size() == 1);
    ::kill(before[0], SIGKILL);
    CHECK(eventually([&] { return site.processes().empty(); }));
    CHECK(outcome(site.pool->run(job)) == "ok");
    CHECK(site.processes() != before);
    // Also at the very moment at which it is given a job, when its socket is still open.
    for (int i = 0; i < 20; ++i) {
        const auto alive = site.processes();
        REQUIRE(alive.size() == 1);
        ::kill(alive[0], SIGKILL);
        CHECK(outcome(site.pool->run(job)) == "ok");
    }
}

TEST_CASE("crashing and lying workers cost the job, programs that are none do not") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const auto run_with = [&](const char* behaviour) {
        Site site(*toolkit, 1, ODD_WORKER_PROGRAM);
        site.options.environment.set("ODD_WORKER", behaviour);
        Pool pool(site.options);
        return pool.run(site.bench.job(site.source, "sm_90"));
    };
    const auto crashed = run_with("crashes");
    REQUIRE(crashed.error);
    CHECK(crashed.error->code() == ErrorCode::compiler_crashed);
    CHECK(crashed.error->context("signal") == "11");
    const auto nonsense = run_with("answers-nonsense");
    REQUIRE(nonsense.error);
    CHECK(nonsense.error->code() == ErrorCode::internal);
    // Those that never become a worker: the job runs in this process.
    CHECK(outcome(run_with("exits")) == "ok");
    CHECK(outcome(run_with("other-protocol")) == "ok");
    CHECK(outcome(run_with("dies-before-it-began")) == "ok");
    for (const char* program : {"", "/nonexistent/kiln-worker", "/bin/true"}) {
        Site site(*toolkit, 1, program);
        CHECK(outcome(site.pool->run(site.bench.job(site.source, "sm_90"))) == "ok");
    }
}

TEST_CASE("compilers see the job's environment, not the host's") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    ::setenv("NVCC_APPEND_FLAGS", "-DHOST=1", 1);
    Site site(*toolkit);
    const auto source =
        site.bench.write("v.cu", "#if defined(HOST) || !defined(GIVEN)\n#error seen\n"
                                 "#endif\n" +
                                     std::string(test::trivial_kernel));
    auto job = site.bench.job(source, "sm_90", Backend::nvcc);
    job.environment.set("NVCC_APPEND_FLAGS", "-DGIVEN=1");
    CHECK(outcome(site.pool->run(job)) == "ok");
    job.environment.unset("NVCC_APPEND_FLAGS");
    CHECK(site.pool->run(job).error.value().code() == ErrorCode::compile_failed);
    ::unsetenv("NVCC_APPEND_FLAGS");
}

TEST_CASE("NVRTC of another environment or toolkit gets a process of its own") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    Site site(*toolkit);
    auto job = site.bench.job(site.source, "sm_90");
    CHECK(outcome(site.pool->run(job)) == "ok");
    const auto first = site.processes();
    job.environment.set("NV_NVVM_VERSION", "nvvm-latest");
    CHECK(outcome(site.pool->run(job)) == "ok");
    const auto second = site.processes();
    CHECK(second.size() == 1); // one place: the other had to go
    CHECK(second != first);
}

TEST_CASE("a forked host starts workers of its own and leaves its parent's alone") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    Site site(*toolkit, 2);
    const auto job = site.bench.job(site.source, "sm_90");
    REQUIRE(outcome(site.pool->run(job)) == "ok");
    const auto workers = site.processes();
    const pid_t child = ::fork();
    if (child == 0) {
        const bool good = outcome(site.pool->run(job)) == "ok" && site.processes().size() >= 2;
        site.pool.reset(); // as a destructor at exit would
        ::_exit(good ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(site.processes() == workers);
    CHECK(outcome(site.pool->run(job)) == "ok");
    CHECK(site.processes() == workers);
}

TEST_CASE("a host that reaps every child, or ignores SIGCHLD, is served too") {
    const auto toolkit = test::machine_toolkit(Backend::nvrtc);
    if (!toolkit)
        return;
    const auto before = ::signal(SIGCHLD, SIG_IGN);
    {
        Site site(*toolkit);
        auto job = site.endless();
        job.time_limit = std::chrono::milliseconds(300);
        CHECK(site.pool->run(job).error.value().code() == ErrorCode::timed_out);
        CHECK(outcome(site.pool->run(site.bench.job(site.source, "sm_90"))) == "ok");
        site.pool.reset();
        CHECK(eventually([&] { return site.processes().empty(); }, 5));
        CHECK(site.files() == 0);
    }
    const bool untouched = ::signal(SIGCHLD, before) == SIG_IGN;
    CHECK(untouched);
}
