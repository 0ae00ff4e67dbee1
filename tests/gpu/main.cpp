// SPDX-License-Identifier: Apache-2.0
#define DOCTEST_CONFIG_IMPLEMENT
#include "children.h"
#include "fixture.h"

#include <kiln/error.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

namespace {

/// ctest shows a test that ends so as skipped.
constexpr int skipped = 77;

/// What the user has configured must not change what is tested.
void leave_user_behind(const std::string& empty_directory) {
    ::setenv("XDG_CONFIG_HOME", empty_directory.c_str(), 1);
    ::setenv("XDG_CACHE_HOME", empty_directory.c_str(), 1);
    for (const char* name : {"KILN_CONFIG", "KILN_POLICY", "KILN_CATALOG", "KILN_INCLUDE_PATH",
                             "KILN_CACHE_DIR", "KILN_ARCH", "KILN_MODE", "KILN_REMOTE"})
        ::unsetenv(name);
}

/// Why nothing can be tested here, or empty.
std::string obstacle() {
    const auto list = kiln::devices();
    if (list.devices.empty())
        return list.reason;
    kiln::gpu::Report::of_run().set_device(list.devices.front(), list.driver_version);
    try {
        static_cast<void>(kiln::gpu::service().all_archs());
    } catch (const kiln::Error& error) {
        if (error.code() == kiln::ErrorCode::toolkit_missing)
            return error.message();
        throw;
    }
    return {};
}

int run_tests(int count, char** arguments) {
    std::string report;
    for (int i = 1; i + 1 < count; ++i) {
        if (std::string_view(arguments[i]) == "--report")
            report = arguments[i + 1];
    }
    const kiln::base::TemporaryDirectory nobody("kiln-gpu-home-");
    leave_user_behind(nobody.path().string());
    if (const auto reason = obstacle(); !reason.empty()) {
        fmt::print("skipped: {}\n", reason);
        return skipped;
    }
    doctest::Context context(count, arguments);
    const int result = context.run();
    if (context.shouldExit())
        return result;
    kiln::gpu::Report::of_run().print_summary();
    if (!report.empty())
        kiln::gpu::Report::of_run().write(report);
    return result;
}

} // namespace

/// gpu_test [--report FILE] [doctest's options]; gpu_test --child VERB ... is a test's own.
int main(int count, char** arguments) {
    try {
        if (count > 2 && std::string_view(arguments[1]) == "--child")
            return kiln::gpu::run_child(std::vector<std::string>(arguments + 2, arguments + count));
        return run_tests(count, arguments);
    } catch (const std::exception& error) {
        fmt::print(stderr, "gpu_test: {}\n", error.what());
        return 1;
    }
}
