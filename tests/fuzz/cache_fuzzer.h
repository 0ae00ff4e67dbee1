// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/fuzz_input.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

/// The input in memory of exactly its size, so that one byte beyond it is found.
inline std::vector<std::byte> fuzz_bytes(const std::uint8_t* data, std::size_t size) {
    const auto* first = reinterpret_cast<const std::byte*>(data);
    return {first, first + size};
}
