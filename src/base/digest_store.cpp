// SPDX-License-Identifier: Apache-2.0
#include "base/digest_store.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace kiln::base {

namespace {

constexpr std::string_view magic = "KILNDIG1";
constexpr std::size_t stamp_at = magic.size();
constexpr std::size_t digest_at = stamp_at + 5 * 8;
constexpr std::size_t checksum_at = digest_at + 32;
constexpr std::size_t record_size = checksum_at + 2 * 8;

using Record = std::array<std::byte, record_size>;

void put(Record& record, std::size_t at, std::uint64_t value) noexcept {
    for (std::size_t i = 0; i < 8; ++i)
        record[at + i] = static_cast<std::byte>(value >> (8 * i));
}

Record make_record(const FileStamp& stamp, const Digest& digest) noexcept {
    Record record{};
    std::memcpy(record.data(), magic.data(), magic.size());
    put(record, stamp_at, stamp.device);
    put(record, stamp_at + 8, stamp.inode);
    put(record, stamp_at + 16, stamp.size);
    put(record, stamp_at + 24, static_cast<std::uint64_t>(stamp.mtime_ns));
    put(record, stamp_at + 32, static_cast<std::uint64_t>(stamp.ctime_ns));
    std::copy(digest.bytes.begin(), digest.bytes.end(), record.begin() + digest_at);
    const Checksum sum = checksum(std::span(record).first(checksum_at));
    put(record, checksum_at, sum.low);
    put(record, checksum_at + 8, sum.high);
    return record;
}

} // namespace

DigestStore::DigestStore(FileSystem& files, std::filesystem::path directory)
    : files_(files), directory_(std::move(directory)) {}

std::filesystem::path DigestStore::file_of(const FileStamp& stamp) const {
    const Digest name = Hasher().field("device", stamp.device).field("inode", stamp.inode).finish();
    return directory_ / name.hex().substr(0, 32);
}

std::optional<Digest> DigestStore::load(const FileStamp& stamp) const {
    if (directory_.empty())
        return std::nullopt;
    std::error_code error;
    const auto bytes = files_.read(file_of(stamp), record_size, error);
    if (error || bytes.size() != record_size)
        return std::nullopt;
    Digest digest;
    std::copy_n(bytes.begin() + digest_at, digest.bytes.size(), digest.bytes.begin());
    // The one record that says this of this stamp, to the last byte.
    const Record expected = make_record(stamp, digest);
    if (!std::equal(expected.begin(), expected.end(), bytes.begin()))
        return std::nullopt;
    return digest;
}

void DigestStore::save(const FileStamp& stamp, const Digest& digest) const {
    if (directory_.empty())
        return;
    const auto file = file_of(stamp);
    const Record record = make_record(stamp, digest);
    std::error_code error;
    publish_replace(files_, file, record, error);
    if (error != std::errc::no_such_file_or_directory)
        return;
    files_.make_directories(directory_, error);
    if (!error)
        publish_replace(files_, file, record, error);
}

} // namespace kiln::base
