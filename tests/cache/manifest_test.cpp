// SPDX-License-Identifier: Apache-2.0
#include "cache/manifest.h"
#include "cubin/test_data.h"

#include <fstream>

using namespace kiln;
using namespace kiln::cache;

namespace {

InputSet sample_set(const std::string& content) {
    InputSet set;
    set.files = {{{"/", "usr/include/math.h"}, base::sha256("math"), {1, 2, 3, 4, 5}, true},
                 {{"cuda", "cuda_fp16.h"}, base::sha256(content), {1, 20, 30, -40, 50}, false},
                 {{"source", "../k.cu"}, base::sha256("source"), {~0ull, 1, 2, 3, 4}, true}};
    set.absent = {{{"I0", "lib"}, std::string("x.h\0y/z.h\0", 10)}, {{"source", "opt.h"}, {}}};
    return set;
}

Manifest sample() {
    Manifest manifest{base::sha256("request"), {}};
    for (const char* content : {"old", "new"}) {
        const InputSet set = sample_set(content);
        manifest.remember({set, set.key(manifest.request)});
    }
    return manifest;
}

void check_equal(const Manifest& a, const Manifest& b) {
    CHECK(a.request == b.request);
    REQUIRE(a.sets.size() == b.sets.size());
    for (std::size_t i = 0; i < a.sets.size(); ++i) {
        CHECK(a.sets[i].key == b.sets[i].key);
        const InputSet& x = a.sets[i].inputs;
        const InputSet& y = b.sets[i].inputs;
        REQUIRE(x.files.size() == y.files.size());
        for (std::size_t k = 0; k < x.files.size(); ++k) {
            CHECK(x.files[k].name == y.files[k].name);
            CHECK(x.files[k].digest == y.files[k].digest);
            CHECK(x.files[k].stamp == y.files[k].stamp);
            CHECK(x.files[k].settled == y.files[k].settled);
        }
        REQUIRE(x.absent.size() == y.absent.size());
        for (std::size_t k = 0; k < x.absent.size(); ++k) {
            CHECK(x.absent[k].missing == y.absent[k].missing);
            CHECK(x.absent[k].below == y.absent[k].below);
        }
    }
}

} // namespace

TEST_CASE("a manifest is read as it was written") {
    const Manifest manifest = sample();
    const auto decoded = decode_manifest(encode_manifest(manifest), manifest.request);
    REQUIRE(decoded);
    check_equal(*decoded, manifest);
    CHECK(decoded->sets[0].inputs.files[1].digest == base::sha256("new"));
}

TEST_CASE("the newest sets are kept, each key once") {
    Manifest manifest{base::sha256("request"), {}};
    for (int i = 0; i < 20; ++i)
        manifest.remember({sample_set(std::to_string(i)), base::sha256(std::to_string(i))});
    CHECK(manifest.sets.size() == 16);
    CHECK(manifest.sets[0].key == base::sha256("19"));
    manifest.remember({sample_set("x"), base::sha256("10")});
    CHECK(manifest.sets.size() == 16);
    CHECK(manifest.sets[0].key == base::sha256("10"));
    CHECK(manifest.sets[1].key == base::sha256("19"));
}

TEST_CASE("another request's manifest is refused") {
    CHECK_FALSE(decode_manifest(encode_manifest(sample()), base::sha256("another")));
}

TEST_CASE("no damaged manifest is read: every bit, every length") {
    const Manifest manifest = sample();
    const std::vector<std::byte> file = encode_manifest(manifest);
    for (std::size_t length = 0; length < file.size(); ++length)
        CHECK_FALSE(decode_manifest(std::span(file).first(length), manifest.request));
    for (std::size_t i = 0; i < 8 * file.size(); ++i) {
        std::vector<std::byte> flipped = file;
        flipped[i / 8] ^= static_cast<std::byte>(1 << i % 8);
        CHECK_FALSE(decode_manifest(flipped, manifest.request));
    }
}

TEST_CASE("the format of version 1 stays as it is") {
    const std::vector<std::byte> file = encode_manifest(sample());
    std::ifstream golden(KILN_CACHE_TEST_DATA "/version1.manifest", std::ios::binary);
    REQUIRE(golden);
    const std::string expected((std::istreambuf_iterator<char>(golden)), {});
    CHECK(std::string(reinterpret_cast<const char*>(file.data()), file.size()) == expected);
    const auto decoded = decode_manifest(std::as_bytes(std::span(expected)), sample().request);
    REQUIRE(decoded);
    check_equal(*decoded, sample());
}
