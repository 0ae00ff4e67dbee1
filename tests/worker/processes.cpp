// SPDX-License-Identifier: Apache-2.0
#include "worker/processes.h"

#include "compile/workbench.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace kiln::test {

std::vector<int> processes_with(const std::string& text) {
    std::vector<int> found;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const auto name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        const int pid = std::stoi(name);
        if (pid == ::getpid())
            continue;
        for (const char* file : {"cmdline", "environ"}) {
            std::ifstream stream(entry.path() / file, std::ios::binary);
            const std::string all(std::istreambuf_iterator<char>(stream), {});
            if (all.find(text) != std::string::npos && process_runs(pid)) {
                found.push_back(pid);
                break;
            }
        }
    }
    return found;
}

bool eventually(const std::function<bool()>& condition, double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
}

} // namespace kiln::test
