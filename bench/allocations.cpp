// SPDX-License-Identifier: Apache-2.0
#include "allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::uint64_t> count{0};
std::atomic<std::uint64_t> total{0};
} // namespace

Allocations allocations() noexcept {
    return {count.load(std::memory_order_relaxed), total.load(std::memory_order_relaxed)};
}

void* operator new(std::size_t size) {
    count.fetch_add(1, std::memory_order_relaxed);
    total.fetch_add(size, std::memory_order_relaxed);
    if (void* memory = std::malloc(size))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
