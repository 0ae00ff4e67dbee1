// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>

/// A copy of some bytes that ends at the end of a page, between two pages that nobody may touch: a
/// read beyond either end is a SIGSEGV, in libraries without sanitizers too.
class GuardedBytes {
  public:
    explicit GuardedBytes(std::span<const std::byte> bytes)
        : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
          inner_((bytes.size() + page_ - 1) / page_ * page_), size_(bytes.size()) {
        map_ = mmap(nullptr, inner_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (map_ == MAP_FAILED)
            throw std::runtime_error("mmap failed");
        protect(PROT_READ | PROT_WRITE);
        if (!bytes.empty())
            std::memcpy(data(), bytes.data(), bytes.size());
    }
    GuardedBytes(const GuardedBytes&) = delete;
    GuardedBytes& operator=(const GuardedBytes&) = delete;
    ~GuardedBytes() { munmap(map_, inner_ + 2 * page_); }

    /// From here on a write is a SIGSEGV too.
    void make_read_only() { protect(PROT_READ); }
    std::byte* data() noexcept { return static_cast<std::byte*>(map_) + page_ + inner_ - size_; }
    std::span<std::byte> bytes() noexcept { return {data(), size_}; }

  private:
    void protect(int access) {
        if (inner_ != 0 && mprotect(static_cast<std::byte*>(map_) + page_, inner_, access) != 0)
            throw std::runtime_error("mprotect failed");
    }

    std::size_t page_;
    std::size_t inner_;
    std::size_t size_;
    void* map_ = nullptr;
};
