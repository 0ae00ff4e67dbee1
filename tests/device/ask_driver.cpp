// SPDX-License-Identifier: Apache-2.0
// ask_driver VERB: makes one use of the driver and prints what came of it, for tests that need a
// process of their own: `devices`, `open`, `load`, `fork`,
// `fork-before-use`.
#include "device/driver.h"
#include "device/library.h"

#include <kiln/device.h>
#include <kiln/error.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>

namespace {

void print(const kiln::Error& error) {
    std::printf("%s: %s | %s\n", std::string(to_string(error.code())).c_str(),
                error.message().c_str(), error.hint().c_str());
}

int run(std::string_view verb);

/// In a forked child, and waits for it. What the action throws ends the child as it would end main.
void in_child(void (*action)()) {
    std::fflush(stdout);
    const auto child = ::fork();
    if (child == 0) {
        int code = 0;
        try {
            action();
        } catch (const kiln::Error& error) {
            print(error);
            code = 1;
        }
        std::fflush(stdout);
        ::_exit(code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
}

int run(std::string_view verb) {
    if (verb == "devices") {
        const auto list = kiln::devices();
        std::printf("devices %zu, driver '%s', reason: %s\n", list.devices.size(),
                    list.driver_version.c_str(), list.reason.c_str());
    } else if (verb == "open") {
        const auto& driver = kiln::device::Driver::get_for_loading();
        std::printf("opened, CUDA %s\n", driver.version_text().c_str());
    } else if (verb == "load") {
        kiln::Cubin cubin;
        cubin.target = kiln::Target::parse("sm_90");
        cubin.bytes = std::make_shared<const std::vector<std::byte>>(64);
        kiln::device::Library::load(cubin, 0);
    } else if (verb == "fork") {
        kiln::device::Driver::get().initialise();
        in_child([] {
            run("devices");
            run("load");
        });
    } else if (verb == "fork-before-use") {
        static_cast<void>(kiln::device::Driver::get());
        in_child([] { run("devices"); });
        run("devices");
    } else {
        return 2;
    }
    return 0;
}

} // namespace

int main(int count, char** arguments) {
    try {
        return run(count > 1 ? arguments[1] : "");
    } catch (const kiln::Error& error) {
        print(error);
        return 1;
    }
}
