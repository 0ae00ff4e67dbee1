// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"
#include "base/temporary_directory.h"

#include <doctest/doctest.h>
#include <link.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace fs = std::filesystem;
using namespace kiln;

namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// What `ask_driver VERB` prints where `directory` is searched for libcuda.so.1 first.
std::string ask(const std::string& verb, const fs::path& directory,
                const Variables& variables = {}) {
    base::ProcessOptions options;
    options.program = ASK_DRIVER;
    options.arguments = {verb};
    options.environment.set("LD_LIBRARY_PATH", directory.string());
    for (const auto& [name, value] : variables)
        options.environment.set(name, value);
    const auto result = base::run_process(options, std::chrono::seconds(30));
    CHECK_MESSAGE(result.exit.signal == 0, result.errors);
    CHECK_FALSE(result.timed_out);
    return result.output;
}

const fs::path drivers = DRIVERS;

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("Kiln does not link the driver") {
    bool found = false;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
            if (has(info->dlpi_name, "libcuda"))
                *static_cast<bool*>(result) = true;
            return 0;
        },
        &found);
    CHECK_FALSE(found);
}

TEST_CASE("without a driver there is no device, and a load is a typed error that names the file") {
    const base::TemporaryDirectory empty;
    const auto devices = ask("devices", empty.path());
    if (!has(devices, "driver ''")) {
        MESSAGE("skipped: this machine has a libcuda.so.1");
        return;
    }
    CHECK(has(devices, "devices 0"));
    CHECK(has(devices, "the CUDA driver was not found: tried libcuda.so.1"));
    const auto load = ask("load", empty.path());
    CHECK(has(load, "driver_missing: the CUDA driver was not found: tried libcuda.so.1"));
    CHECK(has(load, "Compiling for a named target needs no driver"));
}

TEST_CASE("a libcuda.so.1 that cannot be loaded is a missing driver with the linker's reason") {
    const base::TemporaryDirectory directory;
    std::ofstream(directory.path() / "libcuda.so.1");
    CHECK(has(ask("load", directory.path()), "driver_missing: the CUDA driver was not found"));
    CHECK(has(ask("load", directory.path()), "file too short"));
}

TEST_CASE("a stub library is a missing driver, and is said to be a stub") {
    const auto where = drivers / "current";
    const auto load = ask("load", where, {{"STAND_IN_STUB", "1"}});
    CHECK(has(load, "driver_missing: " + (where / "libcuda.so.1").string()));
    CHECK(has(load, "stub library"));
    CHECK(has(ask("devices", where, {{"STAND_IN_STUB", "1"}}), "stub library"));
    // One whose calls can be found, and whose cuInit says it.
    CHECK(has(ask("load", where, {{"STAND_IN_INIT", "34"}}), "stub library"));
}

TEST_CASE("the toolkit's own stub library is known for what it is") {
    const std::string stub = CUDA_STUB;
    if (stub.empty()) {
        MESSAGE("skipped: the CUDA headers come without lib64/stubs/libcuda.so");
        return;
    }
    const base::TemporaryDirectory directory;
    fs::create_symlink(stub, directory.path() / "libcuda.so.1");
    const auto devices = ask("devices", directory.path());
    CHECK(has(devices, "devices 0, driver ''"));
    CHECK(has(devices, "stub library"));
}

TEST_CASE("opening the driver calls no cuInit, and a use calls it once") {
    const base::TemporaryDirectory directory;
    const auto log = directory.path() / "calls";
    CHECK(ask("open", drivers / "current", {{"STAND_IN_LOG", log.string()}}) ==
          "opened, CUDA 13.0\n");
    CHECK_FALSE(fs::exists(log));
    CHECK(has(ask("fork", drivers / "current", {{"STAND_IN_LOG", log.string()}}), "forked"));
    REQUIRE(fs::exists(log));
    CHECK(fs::file_size(log) == std::string("cuInit\n").size());
}

TEST_CASE("a child forked after the driver was initialised gets an error that says so") {
    const auto output = ask("fork", drivers / "current");
    CHECK(has(output, "devices 0, driver '13.0', reason: this process was forked after"));
    CHECK(has(output, "driver_failed: this process was forked after"));
    CHECK(has(output, "fork before the first use of a device"));
}

TEST_CASE("a fork before the first use leaves both sides free to use the driver") {
    const std::string usable = "devices 0, driver '13.0', reason: the driver shows no device\n";
    CHECK(ask("fork-before-use", drivers / "current") == usable + usable);
}

TEST_CASE("cuInit's answer for a child of somebody else's fork is understood") {
    const auto output = ask("load", drivers / "current", {{"STAND_IN_INIT", "3"}});
    CHECK(has(output, "driver_failed: this process was forked after"));
}

TEST_CASE("reasons for no device are told apart") {
    const auto where = drivers / "current";
    const auto none = ask("devices", where, {{"STAND_IN_INIT", "100"}});
    CHECK(has(none, "driver '13.0', reason: the driver shows no device (CUDA_ERROR_NO_DEVICE (the "
                    "stand-in says so))\n"));
    const auto hidden =
        ask("devices", where, {{"STAND_IN_INIT", "100"}, {"CUDA_VISIBLE_DEVICES", "MIG-not-here"}});
    CHECK(has(hidden, "CUDA_VISIBLE_DEVICES is set and may hide them"));
    const auto mismatch = ask("devices", where, {{"STAND_IN_INIT", "803"}});
    CHECK(has(mismatch, "cuInit failed: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (the stand-in says so)"));
    CHECK(has(ask("devices", where), "the driver shows no device"));
    CHECK(has(ask("load", where), "device_missing: there is no device 0; the driver shows 0"));
}

TEST_CASE("a driver that cannot load libraries is named with its version and what it lacks") {
    const auto where = drivers / "before_12";
    const Variables old = {{"STAND_IN_VERSION", "11080"},
                           {"STAND_IN_LACKS", "cuLibraryLoadData,cuLibraryUnload"}};
    const auto load = ask("load", where, old);
    CHECK(has(load, "driver_failed: the driver (CUDA 11.8) has no cuLibraryLoadData, "
                    "cuLibraryUnload"));
    CHECK(has(load, "CUDA 12.0 or later"));
    // It can still say which devices there are.
    CHECK(has(ask("devices", where, old), "driver '11.8', reason: the driver shows no device"));
}

TEST_CASE("functions that only newer drivers have may be absent") {
    CHECK(ask("open", drivers / "current",
              {{"STAND_IN_VERSION", "12000"}, {"STAND_IN_LACKS", "cuKernelGetParamInfo"}}) ==
          "opened, CUDA 12.0\n");
}

TEST_CASE("a driver without cuGetProcAddress is too old, not missing") {
    const auto load = ask("load", drivers / "before_11_3");
    CHECK(has(load, "driver_failed: "));
    CHECK(has(load, "older than CUDA 11.3"));
}
