// SPDX-License-Identifier: Apache-2.0
#include "cache/counters.h"

#include "base/text.h"

#include <fmt/format.h>

#include <array>
#include <random>

namespace kiln::cache {

namespace {

constexpr std::size_t most_files = 64;
constexpr std::size_t name_digits = 16;
constexpr std::uint64_t largest_file = 4096;

struct Field {
    std::string_view name;
    std::uint64_t Counters::*value;
};
constexpr std::array fields{
    Field{"memory_hits", &Counters::memory_hits}, Field{"disk_hits", &Counters::disk_hits},
    Field{"remote_hits", &Counters::remote_hits}, Field{"misses", &Counters::misses},
    Field{"compiles", &Counters::compiles},       Field{"evicted", &Counters::evicted},
    Field{"quarantined", &Counters::quarantined}};

std::string new_name() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
}

std::vector<std::string> names(DiskTier& disk) {
    std::error_code error;
    std::vector<std::string> result = disk.files().list(disk.layout().counters(), error);
    std::erase_if(result, [](const std::string& name) { return !is_hex(name, name_digits); });
    return result;
}

Counters sum(DiskTier& disk, const std::vector<std::string>& names) {
    Counters total;
    for (const std::string& name : names) {
        std::error_code error;
        const auto bytes = disk.files().read(disk.layout().counters() / name, largest_file, error);
        if (!error)
            total = total +
                    decode_counters({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    return total;
}

void write(DiskTier& disk, const Counters& counters, std::error_code& error) {
    const std::string text = encode_counters(counters);
    // Published whole: half of a number is another number.
    base::publish_new(disk.files(), disk.layout().counters() / new_name(),
                      std::as_bytes(std::span(text)), error);
}

/// Many files become one. A crash in between counts some twice.
void fold(DiskTier& disk) {
    std::error_code error;
    const auto held = disk.lock("counters", 0, error);
    if (held == nullptr)
        return; // somebody else does it
    const std::vector<std::string> old = names(disk);
    write(disk, sum(disk, old), error);
    if (error)
        return;
    for (const std::string& name : old)
        disk.files().remove(disk.layout().counters() / name, error);
}

} // namespace

Counters LiveCounters::read() const noexcept {
    Counters counters;
    counters.memory_hits = memory_hits;
    counters.disk_hits = disk_hits;
    counters.misses = misses;
    counters.compiles = compiles;
    counters.quarantined = quarantined;
    return counters;
}

Counters LiveCounters::take() noexcept {
    Counters counters;
    counters.memory_hits = memory_hits.exchange(0);
    counters.disk_hits = disk_hits.exchange(0);
    counters.misses = misses.exchange(0);
    counters.compiles = compiles.exchange(0);
    counters.quarantined = quarantined.exchange(0);
    return counters;
}

Counters operator+(const Counters& a, const Counters& b) noexcept {
    Counters total = a;
    for (const Field& field : fields)
        total.*field.value += b.*field.value;
    return total;
}

bool operator==(const Counters& a, const Counters& b) noexcept {
    for (const Field& field : fields) {
        if (a.*field.value != b.*field.value)
            return false;
    }
    return true;
}

std::string encode_counters(const Counters& counters) {
    std::string text;
    for (const Field& field : fields) {
        if (counters.*field.value != 0)
            text += fmt::format("{} {}\n", field.name, counters.*field.value);
    }
    return text;
}

Counters decode_counters(std::string_view text) noexcept {
    Counters counters;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t blank = line.find(' ');
        for (const Field& field : fields) {
            if (blank != std::string_view::npos && field.name == line.substr(0, blank))
                counters.*field.value = base::parse_unsigned(line.substr(blank + 1)).value_or(0);
        }
    }
    return counters;
}

Counters read_counters(DiskTier& disk) {
    return sum(disk, names(disk));
}

void write_counters(DiskTier& disk, const Counters& counters) {
    std::error_code error;
    write(disk, counters, error);
    if (error == std::errc::no_such_file_or_directory) {
        disk.files().make_directories(disk.layout().counters(), error);
        if (!error)
            write(disk, counters, error);
    }
    if (names(disk).size() > most_files)
        fold(disk);
}

} // namespace kiln::cache
