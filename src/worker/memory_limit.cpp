// SPDX-License-Identifier: Apache-2.0
#include "worker/memory_limit.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace kiln::worker {
namespace {

/// What RLIMIT_DATA counts of this process now, in bytes; 0 if the system does not say.
std::uint64_t private_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmData:"))
            return std::stoull(line.substr(7)) * 1024;
    }
    return 0;
}

} // namespace

MemoryLimit::MemoryLimit(std::uint64_t bytes) {
    rlimit limit{};
    if (bytes == 0 || ::getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    before_ = limit.rlim_cur;
    limit.rlim_cur = std::min<rlim_t>(private_bytes() + bytes, limit.rlim_max);
    is_set_ = ::setrlimit(RLIMIT_DATA, &limit) == 0;
}

MemoryLimit::~MemoryLimit() {
    rlimit limit{};
    if (!is_set_ || ::getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    limit.rlim_cur = before_;
    ::setrlimit(RLIMIT_DATA, &limit);
}

} // namespace kiln::worker
