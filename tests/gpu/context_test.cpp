// SPDX-License-Identifier: Apache-2.0
#include "device/context.h"
#include "device/library.h"
#include "fixture.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <thread>

using namespace kiln;
using namespace kiln::gpu;

namespace {

const device::Driver& driver() {
    return device::Driver::get_for_loading();
}

CUcontext current_context() {
    CUcontext context = nullptr;
    driver().check(driver().ctx_get_current(&context), "cuCtxGetCurrent");
    return context;
}

void set_current(CUcontext context) {
    const auto set =
        reinterpret_cast<PFN_cuCtxSetCurrent_v4000>(driver().find("cuCtxSetCurrent", 4000));
    driver().check(set(context), "cuCtxSetCurrent");
}

void check_vector_add(const Kernel& add) {
    const DeviceVector<float> a(std::vector<float>{1, 2, 3});
    const DeviceVector<float> b(std::vector<float>{10, 20, 30});
    const DeviceVector<float> out(3);
    add(grid_of(3, 32), a.data(), b.data(), out.data(), 3u);
    CHECK(out.get() == std::vector<float>{11, 22, 33});
}

/// In a thread of its own, which has no context of anybody's yet; what escapes is rethrown here.
void in_fresh_thread(const auto& action) {
    std::exception_ptr escaped;
    std::thread([&] {
        try {
            action();
        } catch (...) {
            escaped = std::current_exception();
        }
    }).join();
    if (escaped)
        std::rethrow_exception(escaped);
}

} // namespace

TEST_CASE("without a current context the primary one is used, and none is left current") {
    const auto add = kernel(shipped("vector_add"));
    in_fresh_thread([&] {
        REQUIRE(current_context() == nullptr);
        check_vector_add(add);
        CHECK(add.function() != nullptr);
        CHECK(current_context() == nullptr);
    });
}

TEST_CASE("a primary context that the CUDA runtime made current is the one that is used") {
    in_fresh_thread([&] {
        // As cudart does it: retain, then set.
        CUcontext primary = nullptr;
        CUdevice handle = device::device_handle(driver(), tested_device);
        driver().check(driver().device_primary_ctx_retain(&primary, handle),
                       "cuDevicePrimaryCtxRetain");
        CHECK(primary == device::primary_context(driver(), tested_device));
        set_current(primary);
        const auto add = kernel(shipped("vector_add"));
        check_vector_add(add);
        CHECK(current_context() == primary);
        const auto release = reinterpret_cast<PFN_cuDevicePrimaryCtxRelease_v11000>(
            driver().find("cuDevicePrimaryCtxRelease", 11000));
        set_current(nullptr);
        CHECK(release(handle) == CUDA_SUCCESS);
        // Kiln has retained it too, so it is there still.
        check_vector_add(add);
    });
}

TEST_CASE("a context of the host's own is respected, and outlived") {
    const auto create = reinterpret_cast<PFN_cuCtxCreate_v3020>(driver().find("cuCtxCreate", 3020));
    const auto destroy =
        reinterpret_cast<PFN_cuCtxDestroy_v4000>(driver().find("cuCtxDestroy", 4000));
    const auto before = kernel(shipped("vector_add"));
    in_fresh_thread([&] {
        for (int round = 0; round < 3; ++round) {
            CUcontext own = nullptr;
            REQUIRE(create(&own, 0, device::device_handle(driver(), tested_device)) ==
                    CUDA_SUCCESS);
            REQUIRE(current_context() == own);
            check_vector_add(before);
            check_vector_add(kernel(shipped("vector_add")));
            CHECK(current_context() == own);
            CHECK(destroy(own) == CUDA_SUCCESS);
            set_current(nullptr);
        }
        check_vector_add(before);
    });
}

TEST_CASE("a stream brings its context with it") {
    const auto create = reinterpret_cast<PFN_cuCtxCreate_v3020>(driver().find("cuCtxCreate", 3020));
    const auto destroy =
        reinterpret_cast<PFN_cuCtxDestroy_v4000>(driver().find("cuCtxDestroy", 4000));
    const auto create_stream =
        reinterpret_cast<PFN_cuStreamCreate_v2000>(driver().find("cuStreamCreate", 2000));
    const auto count = kernel(of_tests("launch_modes.cu"), "count");
    in_fresh_thread([&] {
        CUcontext own = nullptr;
        REQUIRE(create(&own, 0, device::device_handle(driver(), tested_device)) == CUDA_SUCCESS);
        CUstream stream = nullptr;
        REQUIRE(create_stream(&stream, 0) == CUDA_SUCCESS);
        {
            const DeviceVector<unsigned long long> launches(std::vector<unsigned long long>{0});
            set_current(nullptr);
            LaunchConfig config;
            config.stream = stream;
            count(config, launches.data());
            set_current(own);
            CHECK(launches.get().front() == 1);
        }
        CHECK(destroy(own) == CUDA_SUCCESS);
        set_current(nullptr);
    });
}

TEST_CASE("a kernel keeps its library loaded, and libraries come and go") {
    ArchRequest arch;
    arch.target.capability = device_info().capability;
    const auto cubin = service().get(shipped("vector_add"), arch);
    Kernel last;
    for (int round = 0; round < 100; ++round) {
        std::optional library(device::Library::load(cubin, tested_device));
        const auto one = library->kernel("vector_add", tested_device);
        library.reset();
        check_vector_add(one);
        last = one;
    }
    check_vector_add(last);
}

namespace {

/// What a forked child finds; empty if all is as it should be.
std::string visit_from_child(const Kernel& add, const Cubin& cubin, float* data) {
    const auto complaint = [](const char* what, const auto& action) -> std::string {
        try {
            action();
        } catch (const Error& error) {
            const bool says_so = error.message().find("forked") != std::string::npos;
            return error.code() == ErrorCode::driver_failed && says_so
                       ? ""
                       : std::string(what) + ": " + error.what() + "; ";
        }
        return std::string(what) + ": no error; ";
    };
    auto found = complaint("launch", [&] { add(LaunchConfig{}, data, data, data, 0u); });
    found += complaint("load", [&] { device::Library::load(cubin, tested_device); });
    found += complaint("buffer", [] { const DeviceBuffer buffer(tested_device, 16); });
    found += complaint("wait", [] { wait(); });
    const auto list = devices();
    if (!list.devices.empty() || list.reason.find("forked") == std::string::npos)
        found += "devices: " + list.reason;
    return found;
}

} // namespace

TEST_CASE("a forked child gets errors that say so, and its parent goes on") {
    ArchRequest arch;
    arch.target.capability = device_info().capability;
    const auto cubin = service().get(shipped("vector_add"), arch);
    const auto add = kernel(shipped("vector_add"));
    const DeviceVector<float> data(std::vector<float>{1});
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const auto pid = ::fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
        // Instead of a hang: a signal, which the parent sees.
        ::alarm(20);
        const auto found = visit_from_child(add, cubin, data.data());
        const auto written = ::write(ends[1], found.data(), found.size());
        ::_exit(written == static_cast<ssize_t>(found.size()) ? 0 : 1);
    }
    ::close(ends[1]);
    std::string found;
    std::array<char, 4096> part{};
    for (ssize_t n = 0; (n = ::read(ends[0], part.data(), part.size())) > 0;)
        found.append(part.data(), static_cast<std::size_t>(n));
    ::close(ends[0]);
    int status = 0;
    REQUIRE(::waitpid(pid, &status, 0) == pid);
    CHECK_MESSAGE(WIFEXITED(status), "the child hung or crashed");
    CHECK(found == "");
    check_vector_add(add);
}
