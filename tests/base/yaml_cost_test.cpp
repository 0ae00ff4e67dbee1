// SPDX-License-Identifier: Apache-2.0
#include "base/yaml.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <string_view>

using namespace kiln::base;
using kiln::Error;
using kiln::ErrorCode;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double seconds_allowed = 30;
constexpr long mib_allowed = 4096;
#else
constexpr double seconds_allowed = 1;
constexpr long mib_allowed = 200;
#endif

enum class Answer { accepted, refused, other };

/// Parses in a child, whose processor time and memory are its own.
Answer parse_apart(std::string_view text) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        int answer = 2;
        try {
            YamlNode::parse(text, "p", ErrorCode::policy);
            answer = 0;
        } catch (const Error&) {
            answer = 1;
        } catch (...) {
        }
        _exit(answer);
    }
    int status = 0;
    rusage usage{};
    REQUIRE(wait4(child, &status, 0, &usage) == child);
    const auto seconds = [](const timeval& time) { return time.tv_sec + time.tv_usec / 1e6; };
    CHECK(seconds(usage.ru_utime) + seconds(usage.ru_stime) < seconds_allowed);
    CHECK(usage.ru_maxrss / 1024 < mib_allowed);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
        return Answer::other;
    return WEXITSTATUS(status) == 0 ? Answer::accepted : Answer::refused;
}

std::string repeat(std::string_view text, std::size_t count) {
    std::string result;
    result.reserve(text.size() * count);
    for (std::size_t i = 0; i < count; ++i)
        result += text;
    return result;
}

constexpr std::size_t limit = 1u << 20;

} // namespace

TEST_CASE("cost: aliases of aliases") {
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 60; ++i) {
        const std::string name = "a" + std::to_string(i);
        const std::string last = "*a" + std::to_string(i - 1);
        bomb += name + ": &" + name + " [" + last + repeat(", " + last, 9) + "]\n";
    }
    CHECK(parse_apart(bomb) == Answer::refused);
}

TEST_CASE("cost: deep flow nesting") {
    CHECK(parse_apart(repeat("[", limit)) == Answer::refused);
    CHECK(parse_apart(repeat("[\n", limit / 2)) == Answer::refused);
    CHECK(parse_apart(repeat("{a: ", limit / 4)) == Answer::refused);
}

TEST_CASE("cost: deep block nesting") {
    std::string maps;
    for (std::size_t i = 0; maps.size() + i + 3 < limit; ++i)
        maps += std::string(i, ' ') + "a:\n";
    CHECK(parse_apart(maps) == Answer::refused);
    CHECK(parse_apart(repeat("- ", limit / 2)) == Answer::refused);
}

TEST_CASE("cost: more text than is allowed, and as much as is") {
    CHECK(parse_apart(std::string(limit + 1, '#')) == Answer::refused);
    CHECK(parse_apart(std::string(limit, '#')) == Answer::accepted);
}

TEST_CASE("cost: 100,000 keys") {
    std::string lines;
    std::string flow = "{";
    for (int i = 0; i < 100'000; ++i) {
        lines += "k" + std::to_string(i) + ": \n";
        flow += "k" + std::to_string(i) + ",";
    }
    CHECK(lines.size() < limit);
    CHECK(parse_apart(lines) == Answer::accepted);
    CHECK(parse_apart(flow + "}") == Answer::accepted);
}

TEST_CASE("cost: long scalars") {
    constexpr std::size_t much = limit - 100;
    for (const std::string& value :
         {std::string(much, 'x'), "'" + std::string(much, 'x') + "'", repeat("x ", much / 2),
          "'" + repeat("''", much / 2) + "'", '"' + repeat("\\n", much / 2) + '"',
          "|\n" + repeat("  x\n", much / 4), ">\n" + repeat("  x\n\n", much / 5),
          '"' + repeat("\n", much) + '"'}) {
        CAPTURE(value.substr(0, 10));
        CHECK(parse_apart("a: " + value + "\n") == Answer::accepted);
    }
    CHECK(parse_apart(std::string(much, 'x') + ": 1\n") == Answer::refused);
}

TEST_CASE("cost: much of anything") {
    for (const std::string_view unit :
         {"[",           "]",       "{",        "a: ",      "- ",         "? ",    "'",
          "\"\\",        "&a ",     "*a ",      "!",        "%",          "a\n",   "a: b\n",
          "\n ",         ",",       "[a],",     "|",        "? a\n",      "---\n", "- a\n",
          "{a: ",        "\\",      "`",        "@",        "#",          " ",     "[[]]",
          "!!a ",        "a: &a\n", ": ",       "\xC3\xA9", "\xC3\xA9\n", "...\n", "%TAG !a! b\n",
          "%YAML 1.1\n", "%A\n",    "- &a x\n", "- *a\n",   "\t"}) {
        CAPTURE(unit);
        CHECK(parse_apart(repeat(unit, limit / unit.size())) != Answer::other);
    }
    CHECK(parse_apart("[" + repeat("a: b,", limit / 5 - 1) + "]") == Answer::accepted);
    CHECK(parse_apart("- &a x\n" + repeat("- *a\n", 90'000)) == Answer::accepted);
    std::string anchors;
    for (int i = 0; i < 80'000; ++i)
        anchors += "- &" + std::to_string(i) + " x\n";
    CHECK(parse_apart(anchors) == Answer::accepted);
}
