// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file_system.h"
#include "base/process.h"

#include <chrono>
#include <string>
#include <thread>

namespace kiln::test {

/// Far more than any program here takes, and less than the programs sleep that are to be killed.
inline constexpr std::chrono::seconds patience{120};

inline base::ProcessOptions shell(const std::string& script) {
    base::ProcessOptions options;
    options.program = "/bin/sh";
    options.arguments = {"-c", script};
    options.environment.set("PATH", "/usr/bin:/bin");
    return options;
}

/// A zombie is dead: whoever adopted it has not looked yet.
inline bool alive(int pid) {
    std::error_code error;
    const auto bytes =
        base::real_file_system().read("/proc/" + std::to_string(pid) + "/stat", 4096, error);
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto end = text.rfind(')');
    return end != std::string::npos && text.size() > end + 2 && text[end + 2] != 'Z';
}

/// Whether a process ends within some seconds.
inline bool dies(int pid) {
    using Clock = std::chrono::steady_clock;
    for (const auto end = Clock::now() + patience; Clock::now() < end;) {
        if (!alive(pid))
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

} // namespace kiln::test
