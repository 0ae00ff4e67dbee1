// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"
#include "compile/workbench.h"
#include "worker/processes.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <thread>

using namespace kiln;
using test::eventually;
using test::processes_with;
namespace fs = std::filesystem;

namespace {

void kill_host_at_work(const toolkit::Toolkit& toolkit, const std::string& backend, bool forks) {
    const test::Workbench bench(toolkit);
    const auto temporary = bench.path() / "tmp";
    fs::create_directory(temporary);
    base::ProcessOptions options;
    options.program = DOOMED_HOST_PROGRAM;
    options.arguments = {bench.write("endless.cu", test::endless_kernel).string(), backend};
    if (forks)
        options.arguments.emplace_back("fork");
    options.environment = base::Environment::of_process();
    auto host = base::Process::start(options, -1, STDERR_FILENO);

    const auto running = [&] { return processes_with(temporary.string()).size(); };
    // The worker; with nvcc also nvcc, a shell, and cicc at work.
    const std::size_t at_work = backend == "nvcc" ? 3 : 1;
    REQUIRE(eventually([&] { return running() >= at_work; }, 60));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    CHECK(std::distance(fs::directory_iterator(temporary), {}) == 1);

    // Not through `host`, which would end the whole group.
    REQUIRE(::kill(host.pid(), SIGKILL) == 0);
    CHECK(eventually(
        [&] { return running() == 0 && std::distance(fs::directory_iterator(temporary), {}) == 0; },
        2));
}

} // namespace

TEST_CASE("a host that is killed leaves no process and no temporary file behind") {
    const auto toolkit = test::machine_toolkit(Backend::nvcc);
    if (!toolkit)
        return;
    SUBCASE("NVRTC at work") {
        kill_host_at_work(*toolkit, "nvrtc", false);
    }
    SUBCASE("nvcc at work") {
        kill_host_at_work(*toolkit, "nvcc", false);
    }
    SUBCASE("a child of the host lives on") {
        kill_host_at_work(*toolkit, "nvrtc", true);
    }
}

TEST_CASE("kiln-worker started by hand says what it is") {
    base::ProcessOptions options;
    options.program = KILN_WORKER_PROGRAM;
    options.environment = base::Environment::of_process();
    options.arguments = {"--version"};
    auto result = base::run_process(options, std::chrono::seconds(20));
    CHECK(result.exit.ok());
    CHECK(result.output.starts_with("kiln-worker "));
    for (const auto& arguments :
         {std::vector<std::string>{}, {"--serve"}, {"--ask-nvrtc", "x"}, {"--nonsense"}}) {
        options.arguments = arguments;
        result = base::run_process(options, std::chrono::seconds(20));
        CHECK(result.exit.code == 2);
        CHECK(result.errors.find("kiln-worker") != std::string::npos);
    }
    options.arguments = {"--ask-nvrtc", "/nonexistent/libnvrtc.so", "/nonexistent/builtins.so"};
    result = base::run_process(options, std::chrono::seconds(20));
    CHECK(result.exit.ok());
    CHECK(result.output.find("nvrtc_error") != std::string::npos);
}
