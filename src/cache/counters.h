// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/cache.h"
#include "cache/disk_tier.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

/// Counts over all processes: a small file for each process that counted something, folded into one
/// when there are many. Text, a line for each count that is not 0:
///
///   counts = *(name SP number LF)     ; memory_hits, disk_hits, ...
namespace kiln::cache {

/// What this process has counted since it last wrote it down. Thread-safe.
class LiveCounters {
  public:
    std::atomic<std::uint64_t> memory_hits{0}, disk_hits{0}, misses{0}, compiles{0}, quarantined{0};

    Counters read() const noexcept;
    Counters take() noexcept; ///< and starts from 0
};

Counters operator+(const Counters& a, const Counters& b) noexcept;
bool operator==(const Counters& a, const Counters& b) noexcept;

std::string encode_counters(const Counters& counters);
/// Lines that are not understood count nothing.
Counters decode_counters(std::string_view text) noexcept;

/// The sum of the directory's files.
Counters read_counters(DiskTier& disk);
/// Adds one file; trouble loses the counts and nothing else.
void write_counters(DiskTier& disk, const Counters& counters);

} // namespace kiln::cache
