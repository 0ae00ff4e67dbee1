// SPDX-License-Identifier: Apache-2.0
// The formats of version 1, byte for byte: today's writer writes them and today's reader reads
// them. Entries and manifests have theirs in tests/cache.
#include "base/digest_store.h"
#include "cache/counters.h"
#include "cache/latest.h"
#include "faults/site.h"
#include "source/scratch.h"

using namespace kiln;
using namespace kiln::cache;

namespace {

namespace fs = std::filesystem;

std::string golden(const std::string& name) {
    const fs::path path = fs::path(KILN_CACHE_TEST_DATA) / name;
    REQUIRE_MESSAGE(fs::exists(path), path.string());
    return test::text_of(path);
}

Request sample() {
    Request request;
    request.label = "add{n=4}";
    request.target = Target::parse("sm_90a");
    request.fields = {{"source", "k.cu"}, {"options", "-DA=1\n-DB"}, {"odd", "Latin-1: \xe9"}};
    request.roots = {{"source", "/p"}, {"I0", "/q"}};
    return request;
}

} // namespace

TEST_CASE("a record of what was last asked for") {
    const std::string expected = golden("version1.latest");
    const std::vector<std::byte> file = encode_latest(Latest::of(sample()));
    CHECK(std::string(reinterpret_cast<const char*>(file.data()), file.size()) == expected);
    const auto read = decode_latest(std::as_bytes(std::span(expected)), sample());
    REQUIRE(read);
    CHECK(read->label == "add{n=4}");
    CHECK(read->target == "sm_90a");
    CHECK(read->request == sample().digest());
    CHECK(read->fields == sample().fields);
    CHECK(read->roots == std::vector<std::string>{"source", "I0"});
}

TEST_CASE("counts") {
    Counters counters;
    counters.memory_hits = 1;
    counters.disk_hits = 23;
    counters.misses = 456;
    counters.compiles = 7;
    counters.evicted = 8;
    counters.quarantined = 18'446'744'073'709'551'615u;
    const std::string expected = golden("version1.counters");
    CHECK(encode_counters(counters) == expected);
    CHECK(decode_counters(expected) == counters);
}

TEST_CASE("a remembered content digest") {
    const test::Scratch scratch;
    const base::FileStamp stamp{1, 2, 3, 1'764'547'200'000'000'001, 1'764'547'200'000'000'002};
    const base::Digest digest = base::sha256("contents");
    const base::DigestStore store(base::real_file_system(), scratch.path("digests"));
    store.save(stamp, digest);
    const fs::path file = fs::directory_iterator(scratch.path("digests"))->path();
    const std::string expected = golden("version1.digest");
    CHECK(file.filename().string() == "d7cff755917ac0514af6052c21c0c2a6");
    CHECK(test::text_of(file) == expected);
    CHECK(store.load(stamp) == digest);
    // Every byte counts.
    for (std::size_t i = 0; i < expected.size(); ++i) {
        std::string damaged = expected;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        test::put_text(file, damaged);
        CHECK_FALSE(store.load(stamp));
        test::put_text(file, expected.substr(0, i));
        CHECK_FALSE(store.load(stamp));
    }
    test::put_text(file, expected);
    for (base::FileStamp other : {base::FileStamp{1, 2, 4, stamp.mtime_ns, stamp.ctime_ns},
                                  base::FileStamp{1, 2, 3, stamp.mtime_ns + 1, stamp.ctime_ns},
                                  base::FileStamp{1, 2, 3, stamp.mtime_ns, stamp.ctime_ns + 1}})
        CHECK_FALSE(store.load(other));
}
