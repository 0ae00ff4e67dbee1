// SPDX-License-Identifier: Apache-2.0
// Framed CBOR, manifests, records of what was last asked for, and counts. The first byte says
// which, and whether the rest is a file as it is or a payload that gets a right frame.
#include "base/digest.h"
#include "cache/counters.h"
#include "cache/framed.h"
#include "cache/latest.h"
#include "cache/manifest.h"
#include "fuzz/cache_fuzzer.h"

#include <algorithm>

using namespace kiln;
using namespace kiln::cache;

namespace {

std::vector<std::byte> framed(std::vector<std::byte> payload, std::string_view magic) {
    const base::Checksum sum = base::checksum(payload);
    append_u64(payload, sum.low);
    append_u64(payload, sum.high);
    append_u32(payload, 1);
    for (const char letter : magic)
        payload.push_back(static_cast<std::byte>(letter));
    return payload;
}

/// The digest that a manifest's payload names, so that it is taken for the one asked for.
base::Digest named_in(std::span<const std::byte> file) {
    base::Digest digest;
    if (const auto payload = unframe(file, "KILNMAN1", 1); payload && payload->is_object()) {
        const auto found = payload->find("request");
        if (found != payload->end()) {
            const auto bytes = bytes_of(*found);
            for (std::size_t i = 0; i < std::min(bytes.size(), digest.bytes.size()); ++i)
                digest.bytes[i] =
                    static_cast<std::remove_reference_t<decltype(digest.bytes[0])>>(bytes[i]);
        }
    }
    return digest;
}

void manifest(std::span<const std::byte> file) {
    const base::Digest request = named_in(file);
    const auto manifest = decode_manifest(file, request);
    if (!manifest)
        return;
    promise(manifest->sets.size() <= 16, "a manifest has at most 16 sets");
    for (const auto& seen : manifest->sets)
        (void)seen.inputs.key(request);
    const auto written = encode_manifest(*manifest);
    const auto again = decode_manifest(written, request);
    promise(again.has_value(), "a manifest that is written again is read");
    promise(again->sets.size() == manifest->sets.size(), "with as many sets");
    promise(encode_manifest(*again) == written, "and written as the same");
    base::Digest other = request;
    other.bytes[0] ^= static_cast<std::remove_reference_t<decltype(other.bytes[0])>>(1);
    promise(!decode_manifest(file, other), "another request's manifest is refused");
}

void latest(std::span<const std::byte> file) {
    Request request;
    request.label = "add{n=4}";
    request.target = Target::parse("sm_90a");
    if (const auto found = decode_latest(file, request)) {
        promise(found->label == request.label, "another label's record is refused");
        (void)first_difference(*found, Latest::of(request));
    }
}

void counters(std::string_view text) {
    const Counters counted = decode_counters(text);
    promise(decode_counters(encode_counters(counted)) == counted,
            "counts that are written again are read as the same");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    std::vector<std::byte> rest = fuzz_bytes(data + 1, size - 1);
    switch (data[0] % 6) {
    case 0:
        manifest(rest);
        break;
    case 1:
        manifest(framed(std::move(rest), "KILNMAN1"));
        break;
    case 2:
        latest(rest);
        break;
    case 3:
        latest(framed(std::move(rest), "KILNLST1"));
        break;
    case 4:
        counters(fuzz_text(data + 1, size - 1));
        break;
    default:
        if (const auto item = parse_cbor(rest))
            promise(unframe(frame(*item, "KILNTEST", 1), "KILNTEST", 1).has_value(),
                    "what was read can be framed and read again");
        break;
    }
    return 0;
}
