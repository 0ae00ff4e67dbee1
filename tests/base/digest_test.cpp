// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace kiln::base;

TEST_CASE("SHA-256 agrees with the vectors of FIPS 180-4") {
    CHECK(sha256("").hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256("abc").hex() ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").hex() ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sha256(std::string(1000000, 'a')).hex() ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("a hasher takes its bytes in any parts, copies its state and begins anew") {
    Hasher hasher;
    hasher.update("a");
    Hasher copy = hasher;
    CHECK(hasher.update("bc").finish() == sha256("abc"));
    CHECK(copy.update("b").update("c").finish() == sha256("abc"));
    CHECK(hasher.update("abc").finish() == sha256("abc"));
}

TEST_CASE("fields are labelled and length-prefixed") {
    using namespace std::string_literals;
    const auto raw = "\x01\0\0\0"s + "k" + "\x02\0\0\0\0\0\0\0"s + "vw";
    CHECK(Hasher().field("k", "vw").finish() == sha256(raw));
    const auto number = "\x01\0\0\0"s + "n" + "\x08\0\0\0\0\0\0\0"s + "\x02\x01\0\0\0\0\0\0"s;
    CHECK(Hasher().field("n", std::uint64_t{258}).finish() == sha256(number));
    CHECK(Hasher().field("a", "bc").finish() != Hasher().field("ab", "c").finish());
    CHECK(Hasher().field("a", "b").field("c", "").finish() !=
          Hasher().field("a", "bc").field("", "").finish());
}

TEST_CASE("hex goes there and back, and nothing else is taken") {
    const Digest digest = sha256("abc");
    CHECK(Digest::from_hex(digest.hex()) == digest);
    std::string bad = digest.hex();
    bad.back() = 'G';
    CHECK(!Digest::from_hex(bad));
    CHECK(!Digest::from_hex(digest.hex().substr(1)));
    CHECK(!Digest::from_hex(digest.hex() + "0"));
    CHECK(!Digest::from_hex("BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"));
}

TEST_CASE("the checksum is XXH3-128 and sees a flipped bit") {
    CHECK(checksum({}) == Checksum{0x6001c324468d497f, 0x99aa06d3014798d8});
    std::vector<std::byte> bytes(4096, std::byte{7});
    const Checksum whole = checksum(bytes);
    bytes[4000] ^= std::byte{1};
    CHECK_FALSE(checksum(bytes) == whole);
}
