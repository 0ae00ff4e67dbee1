// SPDX-License-Identifier: Apache-2.0
#include "cache/framed.h"

#include <doctest/doctest.h>

#include <random>

using namespace kiln::cache;

namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
    std::vector<std::byte> result;
    for (const int value : values)
        result.push_back(static_cast<std::byte>(value));
    return result;
}

constexpr std::string_view magic = "KILNTEST";

} // namespace

TEST_CASE("a frame gives back what was put in, and nothing to a reader of something else") {
    const nlohmann::json value = {{"a", 1}, {"b", {"x", "\xff not UTF-8"}}, {"c", binary({})}};
    const std::vector<std::byte> file = frame(value, magic, 7);
    REQUIRE(unframe(file, magic, 7));
    CHECK(*unframe(file, magic, 7) == value);
    CHECK_FALSE(unframe(file, "KILNTESU", 7));
    CHECK_FALSE(unframe(file, magic, 8));
    CHECK_FALSE(unframe({}, magic, 7));
}

TEST_CASE("no damaged frame is read") {
    const std::vector<std::byte> file = frame({{"key", std::string(40, 'x')}}, magic, 1);
    for (std::size_t length = 0; length < file.size(); ++length)
        CHECK_FALSE(
            unframe(std::vector(file.begin(), file.begin() + static_cast<long>(length)), magic, 1));
    for (std::size_t i = 0; i < 8 * file.size(); ++i) {
        std::vector<std::byte> flipped = file;
        flipped[i / 8] ^= static_cast<std::byte>(1 << i % 8);
        CHECK_FALSE(unframe(flipped, magic, 1));
    }
}

TEST_CASE("hostile CBOR is refused before anything is built of it") {
    CHECK(parse_cbor(bytes({0xa1, 0x61, 'a', 0x82, 1, 0x20})));
    CHECK_FALSE(parse_cbor({}));
    CHECK_FALSE(parse_cbor(bytes({0x01, 0x01})));                         // two items
    CHECK_FALSE(parse_cbor(bytes({0x82, 0x01})));                         // one is missing
    CHECK_FALSE(parse_cbor(bytes({0x9f, 0x01, 0xff})));                   // indefinite length
    CHECK_FALSE(parse_cbor(bytes({0xc0, 0x01})));                         // a tag
    CHECK_FALSE(parse_cbor(bytes({0x1c})));                               // reserved
    CHECK_FALSE(parse_cbor(bytes({0xa1, 0x01, 0x02})));                   // a key that is no text
    CHECK_FALSE(parse_cbor(bytes({0x5a, 0xff, 0xff, 0xff, 0xff, 0x00}))); // 4 GiB of bytes
    CHECK_FALSE(parse_cbor(bytes({0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})));
    CHECK_FALSE(parse_cbor(bytes({0xbb, 0x80, 0, 0, 0, 0, 0, 0, 0, 0})));
    CHECK_FALSE(parse_cbor(std::vector<std::byte>(10'000'000, std::byte{0x81}))); // depth

    std::vector<std::byte> deep(7, std::byte{0x81});
    deep.push_back(std::byte{0x80});
    CHECK(parse_cbor(deep));
    deep.insert(deep.begin(), 2, std::byte{0x81});
    CHECK_FALSE(parse_cbor(deep));
}

TEST_CASE("any bytes are taken or refused without harm") {
    std::mt19937 random(11);
    int taken = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::vector<std::byte> noise(1 + random() % 40);
        for (std::byte& byte : noise)
            byte = static_cast<std::byte>(random());
        taken += parse_cbor(noise).has_value() ? 1 : 0;
    }
    CHECK(taken < 20'000);
}
