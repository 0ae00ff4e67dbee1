// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kiln::worker {

/// Bounds the private memory of this process, and of what it starts, while one job runs
/// (RLIMIT_DATA: private writable mappings, since Linux 4.7). Not thread-safe.
class MemoryLimit {
  public:
    /// `bytes` more than this process has now; 0: no bound.
    explicit MemoryLimit(std::uint64_t bytes);
    ~MemoryLimit();
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

  private:
    bool is_set_ = false;
    std::uint64_t before_ = 0;
};

} // namespace kiln::worker
