// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// What this program's `operator new` was asked for so far, on all threads.
struct Allocations {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};
Allocations allocations() noexcept;
