// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "catalog/expand.h"

#include <doctest/doctest.h>

using kiln::catalog::expand;

namespace {

std::optional<std::string> lookup(std::string_view name) {
    if (name == "a") {
        return "1";
    }
    if (name == "env:HOME") {
        return "/home";
    }
    if (name == "odd") {
        return "${a}";
    }
    return std::nullopt;
}

std::string expanded(std::string_view text) {
    return expand(text, lookup).text;
}

} // namespace

TEST_CASE("names, defaults and plain dollars") {
    CHECK(expanded("") == "");
    CHECK(expanded("x${a}y${a}") == "x1y1");
    CHECK(expanded("${env:HOME}/k") == "/home/k");
    CHECK(expanded("${none:-d}") == "d");
    CHECK(expanded("${none:-}") == "");
    CHECK(expanded("${a:-d}") == "1");
    CHECK(expanded("${none:-${a}/x}") == "1/x");
    CHECK(expanded("${none:-${other:-z}}") == "z");
    CHECK(expanded("$a $(a) `a` $") == "$a $(a) `a` $");
    CHECK(expanded("f<int>{}") == "f<int>{}");
}

TEST_CASE("what a lookup returns is not looked at again") {
    CHECK(expanded("${odd}") == "${a}");
}

TEST_CASE("an unknown name stays, and the first is told") {
    const auto expansion = expand("${x}-${a}-${y}", lookup);
    CHECK(expansion.text == "${x}-1-${y}");
    CHECK(expansion.unknown == "x");
    CHECK(expand("${none:-${deep}}", lookup).unknown == "deep");
    CHECK(expand("${a}", lookup).unknown.empty());
}

TEST_CASE("broken placeholders are errors") {
    CHECK(contains(refusal_of([] { expanded("${a"); }).message(), "without its `}`"));
    CHECK(contains(refusal_of([] { expanded("${none:-${a}"); }).message(), "without its `}`"));
    CHECK(contains(refusal_of([] { expanded("${}"); }).message(), "holds no name"));
    CHECK(contains(refusal_of([] { expanded("${a b}"); }).message(), "holds no name"));
}
