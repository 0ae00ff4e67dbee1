// SPDX-License-Identifier: Apache-2.0
#include "base/yaml.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace kiln::base;
using kiln::Error;
using kiln::ErrorCode;

namespace {

/// The message of the error that a text gives; empty if it gives none.
std::string refusal(const std::string& text) {
    try {
        YamlNode::parse(text, "p", ErrorCode::policy);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::policy);
        return error.message();
    }
    return {};
}

std::string repeat(std::string_view text, std::size_t count) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i)
        result += text;
    return result;
}

bool says(const std::string& message, std::string_view part) {
    return message.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("depth is bounded before the parser's stack is") {
    CHECK(refusal(repeat("[", 64) + repeat("]", 64)).empty());
    CHECK(says(refusal(repeat("[", 65) + repeat("]", 65)), "p:1:65: "));
    constexpr std::size_t many = 20000;
    for (const auto& [opening, closing] : std::vector<std::pair<std::string, std::string>>{
             {"[", "]"}, {"{a: ", "}"}, {"[a: ", "]"}, {"- ", ""}, {"[{a: ", "}]"}}) {
        CAPTURE(opening);
        CHECK(says(refusal(repeat(opening, many) + "x" + repeat(closing, many)),
                   "nested deeper than 64"));
        CHECK_FALSE(refusal(repeat(opening, many)).empty());
    }
    for (const std::string opening : {"? ", "{? ", "!", "&a "}) {
        CAPTURE(opening);
        CHECK_FALSE(refusal(repeat(opening, many)).empty());
    }
    std::string block;
    for (int i = 0; i < 500; ++i)
        block += std::string(i, ' ') + "a:\n";
    CHECK(says(refusal(block), "nested deeper than 64"));
}

TEST_CASE("depth is bounded through aliases") {
    const std::string open = repeat("[", 40);
    const std::string close = repeat("]", 40);
    CHECK(refusal("a: &a " + open + close + "\nb: " + repeat("[", 20) + "*a" + repeat("]", 20))
              .empty());
    CHECK(says(refusal("a: &a " + open + close + "\nb: " + open + "*a" + close),
               "nested deeper than 64"));
}

TEST_CASE("aliases that multiply are refused") {
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 10; ++i) {
        const std::string last = "*a" + std::to_string(i - 1);
        const std::string name = "a" + std::to_string(i);
        bomb += name + ": &" + name + " [" + last + repeat(", " + last, 9) + "]\n";
    }
    CHECK(says(refusal(bomb), "aliases expand to more than 100000 nodes"));
    std::string many = "a: &a [" + repeat("x, ", 999) + "x]\nb: [" + repeat("*a, ", 98) + "*a]\n";
    CHECK(refusal(many).empty());
    many += "c: [*a]\n";
    CHECK(says(refusal(many), "aliases expand"));
}

TEST_CASE("an alias to what encloses it is refused") {
    CHECK(says(refusal("a: &a [*a]"), "within what it names"));
    CHECK(says(refusal("&a {b: *a}"), "within what it names"));
    CHECK(says(refusal("&a [[{b: [*a]}]]"), "within what it names"));
}

TEST_CASE("many tag directives cannot be compared with each other") {
    CHECK(says(refusal("%TAG !a! b\n---\na: 1\n"), "p:1:1: the directive `%TAG`"));
    CHECK(says(refusal("a: 1\n...\n%TAG !a! b\n"), "p:3:1: the directive `%TAG`"));
    CHECK(refusal("%YAML 1.2\n---\na: '%TAG'\n").empty());
}

TEST_CASE("a line ends where every program ends it") {
    for (const char* stray : {"\r", "\r\r\n", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
        CAPTURE(stray);
        CHECK(
            says(refusal(std::string("k: 1\n# x") + stray + "a: 1\n"), "p:2:4: the text holds a"));
    }
    CHECK(refusal("k: 1\r\na: 1\r\n").empty());
}

TEST_CASE("text is bounded, UTF-8, and free of control characters") {
    CHECK(says(refusal(std::string((1u << 20) + 1, '#')), "longer than 1048576 bytes"));
    CHECK(refusal(std::string(1u << 20, '#')).empty());
    CHECK(refusal("a: \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\n").empty());
    for (const char* bad : {"\xFF", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                            "\xC3", "\xE2\x82", "\x80"}) {
        CAPTURE(bad);
        CHECK(says(refusal(std::string("k: 1\na: ") + bad), "p:2:4: the text is not UTF-8"));
    }
    using namespace std::string_literals;
    CHECK(says(refusal("a: 1\n\x04hidden: [\n"), "p:2:1: the text holds a control character"));
    CHECK(says(refusal("a: x\0y\n"s), "control character"));
    for (const char* bad : {"\x7F", "\xC2\x80", "\xC2\x9F", "\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
        CAPTURE(bad);
        CHECK(says(refusal(std::string("a: \xC3\xA9") + bad), "p:1:6: the text holds a control"));
    }
    CHECK(refusal("a: \xC2\xA0\xEF\xBB\xBF\xEF\xBF\xBD\n").empty());
}
