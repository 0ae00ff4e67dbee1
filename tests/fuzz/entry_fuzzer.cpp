// SPDX-License-Identifier: Apache-2.0
// Entries. The first byte says what is made of the rest: a file as it is, or a file whose lengths
// and checksum are right, so that what lies behind them is reached.
#include "base/digest.h"
#include "cache/entry.h"
#include "cache/framed.h"
#include "fuzz/cache_fuzzer.h"

#include <kiln/error.h>

#include <algorithm>

using namespace kiln;
using namespace kiln::cache;

namespace {

constexpr std::size_t trailer = 44;

/// image_length and metadata_length stay if they fit; the rest of the trailer is made.
std::vector<std::byte> completed(std::vector<std::byte> file) {
    if (file.size() < trailer)
        return file;
    const std::size_t body = file.size() - trailer;
    const std::uint64_t image = read_u64(file, body) % (body + 1);
    file.resize(body);
    append_u64(file, image);
    append_u64(file, body - image);
    const base::Checksum sum = base::checksum(file);
    append_u64(file, sum.low);
    append_u64(file, sum.high);
    append_u32(file, 1);
    for (const char letter : std::string_view("KILNENT1"))
        file.push_back(static_cast<std::byte>(letter));
    return file;
}

void check(const std::vector<std::byte>& file) {
    try {
        const Metadata metadata = decode_metadata(file);
        const Entry entry = decode_entry(file, metadata.key, metadata.target);
        promise(entry.image.size() < file.size(), "an image lies within its file");
        // What was accepted is written, and read, as the same.
        const std::vector<std::byte> written = encode_entry(entry.metadata, entry.image);
        const Entry again = decode_entry(written, metadata.key, metadata.target);
        promise(again.image == entry.image && again.metadata.label == entry.metadata.label,
                "an entry that is written again is read as the same");
        bool refused = false;
        try {
            decode_entry(file, std::string(64, '0'), metadata.target);
        } catch (const Error&) {
            refused = true;
        }
        promise(refused || metadata.key == std::string(64, '0'), "another key is refused");
    } catch (const Error& error) {
        promise(error.code() == ErrorCode::cubin_invalid, "the code of a refusal");
        promise(!error.message().empty(), "a refusal says something");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    std::vector<std::byte> file = fuzz_bytes(data + 1, size - 1);
    check(data[0] % 2 == 0 ? file : completed(std::move(file)));
    return 0;
}
