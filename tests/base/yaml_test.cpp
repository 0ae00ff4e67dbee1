// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_directory.h"
#include "base/yaml.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

using namespace kiln::base;
using kiln::Error;
using kiln::ErrorCode;

namespace {

YamlNode parse(std::string_view text) {
    return YamlNode::parse(text, "p.yaml", ErrorCode::policy);
}

/// The error that something throws; checks its form.
template <class Body>
Error error_of(Body&& body) {
    try {
        body();
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::policy);
        CHECK(error.message().starts_with(std::string(error.context("location")) + ": "));
        return error;
    }
    FAIL("nothing was thrown");
    return Error(ErrorCode::internal, "");
}

std::string place_of(std::string_view text) {
    return std::string(error_of([&] { parse(text); }).context("location"));
}

} // namespace

TEST_CASE("scalars come back as they were written") {
    const auto node = parse("{a: 9.0, b: 12.10, c: 0x10, d: yes, e: 1e3, f: '~', g: \"null\", "
                            "h: 007, i: '', j: -1}");
    for (const auto& [key, text] : std::vector<std::pair<std::string, std::string>>{{"a", "9.0"},
                                                                                    {"b", "12.10"},
                                                                                    {"c", "0x10"},
                                                                                    {"d", "yes"},
                                                                                    {"e", "1e3"},
                                                                                    {"f", "~"},
                                                                                    {"g", "null"},
                                                                                    {"h", "007"},
                                                                                    {"i", ""},
                                                                                    {"j", "-1"}}) {
        CAPTURE(key);
        CHECK(node[key].is_scalar());
        CHECK(node[key].text() == text);
    }
}

TEST_CASE("null is what is absent, empty, a tilde or the word") {
    const auto node = parse("a:\nb: ~\nc: null\nd: []\n");
    for (const char* text : {"Null", "NULL", "{}", "[~]", "! null"}) {
        CAPTURE(text);
        CHECK(parse(text).is_null() == std::string(text).starts_with('N'));
    }
    for (const char* key : {"a", "b", "c", "absent"}) {
        CAPTURE(key);
        CHECK(node[key].is_null());
        CHECK(node[key].items().empty());
        CHECK(node[key].entries().empty());
        CHECK(node[key].texts().empty());
        CHECK(node[key]["below"].is_null());
        CHECK_FALSE(node[key].has("below"));
    }
    CHECK(node.has("a"));
    CHECK_FALSE(node.has("absent"));
    CHECK_FALSE(node["d"].is_null());
    CHECK(node["d"].is_list());
    CHECK(parse("").is_null());
    CHECK(parse("# only a remark\n").is_null());
    CHECK(parse("---\n").is_null());
    CHECK(parse("").origin().with_column() == "p.yaml:1:1");
}

TEST_CASE("every node and key knows its place") {
    const auto node = parse("top:\n  - one\n  - name: x\n    value: [1, 2]\nlast: z\n");
    CHECK(node.origin().str() == "p.yaml:1");
    const auto items = node["top"].items();
    REQUIRE(items.size() == 2);
    CHECK(items[0].origin().with_column() == "p.yaml:2:5");
    CHECK(items[1].origin().with_column() == "p.yaml:3:5");
    CHECK(items[1]["value"].items()[1].origin().with_column() == "p.yaml:4:16");
    CHECK(items[1]["absent"].origin().with_column() == "p.yaml:3:5");
    const auto entries = node.entries();
    REQUIRE(entries.size() == 2);
    CHECK(entries[0].key == "top");
    CHECK(entries[1].key == "last");
    CHECK(entries[1].key_origin.with_column() == "p.yaml:5:1");
    CHECK(entries[1].value->origin().with_column() == "p.yaml:5:7");
    CHECK(Origin{"--policy", 0, 0}.with_column() == "--policy");
}

TEST_CASE("columns count bytes, lines by the line feed") {
    const auto node = parse("\xC3\xA9: [\xE2\x82\xAC, b]\r\n\"\xF0\x9F\x98\x80\": c\r\n");
    const auto entries = node.entries();
    REQUIRE(entries.size() == 2);
    CHECK(entries[0].value->items()[1].origin().with_column() == "p.yaml:1:11");
    CHECK(entries[1].key_origin.with_column() == "p.yaml:2:1");
    CHECK(entries[1].value->origin().with_column() == "p.yaml:2:9");
    CHECK(place_of("\xC3\xA9: [\xE2\x82\xAC, b]]\n") == "p.yaml:1:13");
    CHECK(place_of("\xC3\xA9: 1\n\xC3\xA9: [\n") == "p.yaml:3:1");
}

TEST_CASE("entries keep the order of the file") {
    std::string order;
    for (const auto& entry : parse("z: 1\na: 2\nm: 3\n").entries())
        order += entry.key;
    CHECK(order == "zam");
}

TEST_CASE("a node keeps its document alive") {
    const YamlNode leaf = parse("a: {b: [c, d]}")["a"]["b"].items()[1];
    CHECK(leaf.text() == "d");
}

TEST_CASE("lists, and what counts as one") {
    const auto node = parse("list: [a, b]\none: c\nmap: {k: v}\nmixed: [a, [b]]\n");
    CHECK(node["list"].texts() == std::vector<std::string>{"a", "b"});
    CHECK(node["one"].texts() == std::vector<std::string>{"c"});
    CHECK(node["one"].items().size() == 1);
    CHECK(node["map"].items()[0]["k"].text() == "v");
    CHECK(error_of([&] { node["mixed"].texts(); }).context("location") == "p.yaml:4:12");
    CHECK(error_of([&] { node["map"].texts(); }).context("location") == "p.yaml:3:6");
}

TEST_CASE("block scalars and strings with escapes") {
    const auto node = parse("a: |\n  one\n  two\nb: >-\n  one\n  two\nc: \"x\\ty\"\n");
    CHECK(node["a"].text() == "one\ntwo\n");
    CHECK(node["b"].text() == "one two");
    CHECK(node["c"].text() == "x\ty");
}

TEST_CASE("booleans and integers are strict") {
    const auto node = parse("t: true\nf: false\ny: yes\nn: -12\nbig: 9223372036854775808\n"
                            "x: 0x10\nfl: 1.0\nplus: +1\nl: [1]\n");
    CHECK(node["t"].boolean());
    CHECK_FALSE(node["f"].boolean());
    CHECK(error_of([&] { node["y"].boolean(); }).message() ==
          "p.yaml:3:4: expected `true` or `false`, found `yes`");
    CHECK(node["n"].integer() == -12);
    CHECK(error_of([&] { node["big"].integer(); }).message().find("out of range") !=
          std::string::npos);
    for (const char* key : {"x", "fl", "plus", "l", "t", "absent"}) {
        CAPTURE(key);
        CHECK_THROWS_AS(node[key].integer(), Error);
    }
}

TEST_CASE("a key of something that is no map is an error with its place") {
    const auto node = parse("a: [1]\nb: text\n");
    CHECK(error_of([&] { node["a"]["x"]; }).message() ==
          "p.yaml:1:4: expected a map, found a list");
    CHECK(error_of([&] { node["b"].has("x"); }).context("location") == "p.yaml:2:4");
    CHECK(error_of([&] { node["b"].entries(); }).context("location") == "p.yaml:2:4");
    CHECK(error_of([&] { node["a"].only_keys({"x"}); }).context("location") == "p.yaml:1:4");
    CHECK(error_of([&] { node.text(); }).message() ==
          "p.yaml:1:1: expected a single value, found a map");
}

TEST_CASE("require names the key that is missing") {
    const auto node = parse("rule:\n  name:\n  kind: deny\n");
    CHECK(node["rule"].require("kind").text() == "deny");
    CHECK(error_of([&] { node["rule"].require("reason"); }).message() ==
          "p.yaml:2:3: the key `reason` is missing");
    CHECK(error_of([&] { node["rule"].require("name"); }).message().find("`name` has no value") !=
          std::string::npos);
}

TEST_CASE("an unknown key is an error that offers the nearest known one") {
    const auto node = parse("module: a\ntagret: b\n");
    node.only_keys({"module", "tagret"});
    const Error near = error_of([&] { node.only_keys({"module", "target"}); });
    CHECK(near.message() == "p.yaml:2:1: unknown key `tagret`");
    CHECK(near.hint() == "did you mean `target`?");
    const Error far = error_of([&] { node.only_keys({"module", "flags"}); });
    CHECK(far.hint() == "known here: module, flags");
}

TEST_CASE("a duplicate key is an error at the second one") {
    const Error error = error_of([] { parse("a: 1\nb: 2\na: 3\n"); });
    CHECK(error.message() == "p.yaml:3:1: the key `a` is given twice");
    CHECK(error.hint() == "the first one is in line 1");
    CHECK(place_of("x: {k: 1, \"k\": 2}") == "p.yaml:1:11");
    CHECK(parse("x: {k: 1}\ny: {k: 2}\n")["y"]["k"].text() == "2");
}

TEST_CASE("anchors and aliases share a value; merge keys are refused") {
    const auto node = parse("a: &x {k: [1, 2]}\nb: *x\n");
    CHECK(node["b"]["k"].texts() == std::vector<std::string>{"1", "2"});
    CHECK(node["b"]["k"].origin().line == 1);
    CHECK(place_of("a: &x {k: 1}\nb:\n  <<: *x\n") == "p.yaml:3:3");
    CHECK(error_of([] { parse("a: *nothing\n"); }).message() ==
          "p.yaml:1:4: the alias `*nothing` names nothing before it");
    CHECK(parse("a: &x 1\nb: &x 2\nc: *x\n*x : d\n")["c"].text() == "2");
    CHECK(parse("a: &x k\n*x : d\n")["k"].text() == "d");
    CHECK(place_of("a: &it's 'x'\n").starts_with("p.yaml:1:"));
}

TEST_CASE("what is not supported is an error with its place") {
    CHECK(place_of("a: 1\n---\nb: 2\n") == "p.yaml:2:1");
    CHECK(place_of("a: !!str 1\n") == "p.yaml:1:4");
    CHECK(place_of("a: !thing {b: c}\n") == "p.yaml:1:4");
    CHECK(place_of("? [a, b]\n: c\n") == "p.yaml:1:3");
    CHECK(place_of("a: 1\n~: 2\n") == "p.yaml:2:1");
    CHECK(place_of("a: \"x\\0y\"\n") == "p.yaml:1:4");
}

TEST_CASE("syntax errors have the document's code and a place") {
    CHECK(place_of("a: [1, 2\n").starts_with("p.yaml:"));
    CHECK(place_of("a: 1\n b: 2\n").starts_with("p.yaml:2:"));
    CHECK(place_of("a:\n\t- b\n").starts_with("p.yaml:"));
    CHECK(place_of("a: b: c\n").starts_with("p.yaml:1:"));
    CHECK(place_of("a: 1\n]\n").starts_with("p.yaml:2:"));
    CHECK(place_of("rule:\n  name: x\n  backend\n  deny: y\n").starts_with("p.yaml:4:"));
    CHECK(place_of("a: 1\nb\n").starts_with("p.yaml:3:"));
    CHECK(place_of("%YAML 9.9\n---\na: 1\n").starts_with("p.yaml:"));
}

TEST_CASE("a syntax error says what was wanted, and where what it is in begins") {
    const Error list = error_of([] { parse("a:\n  - [1, 2\nb: 3\n"); });
    CHECK(list.message() == "p.yaml:3:2: did not find expected ',' or ']' while parsing a flow "
                            "sequence that begins in line 2");
    CHECK(error_of([] { parse("a: b: c\n"); }).message() ==
          "p.yaml:1:5: mapping values are not allowed in this context");
    const Error tab = error_of([] { parse("a:\n\tb: 1\n"); });
    CHECK(tab.message() == "p.yaml:2:1: found character that cannot start any token while scanning "
                           "for the next token");
    CHECK(tab.hint() == "indent with blanks: YAML takes no tab there");
    CHECK(error_of([] { parse("a: 1\nb: 'x\nc: 2\n"); }).message() ==
          "p.yaml:2:4: a quoted value has no end");
}

TEST_CASE("a quoted value without an end is an error, one with an end is none") {
    for (const char* text : {"a: 'x\n", "a: \"x", "a: \"x\\\"", "a: 'x''", "k: 'v'\r\na: 'x\r\n",
                             "\xEF\xBB\xBF"
                             "a: 'x",
                             "a: &y 'x", "'x", "a: \n  - 'x\n\n"}) {
        CAPTURE(std::string(text));
        CHECK(place_of(text).starts_with("p.yaml:"));
    }
    for (const char* text : {"a: 'x'", "a: \"x\\\"\"", "a: 'x'''", "k: 'v'\r\na: 'x'\r\n",
                             "\xEF\xBB\xBF"
                             "a: 'x'",
                             "a: &y 'x' # it's", "'x'", "a: it's", "a: |\n  'x\n", "a: ''"}) {
        CAPTURE(std::string(text));
        CHECK_NOTHROW(parse(text));
    }
}

TEST_CASE("load shows the path as given, and a file that cannot be read is an error") {
    const TemporaryDirectory directory;
    const auto path = directory.path() / "p.yaml";
    std::ofstream(path) << "\xEF\xBB\xBF"
                        << "a: 1\n";
    const auto node = YamlNode::load(path, ErrorCode::catalog);
    CHECK(node["a"].text() == "1");
    CHECK(node["a"].origin().file == path.string());
    try {
        YamlNode::load(directory.path() / "none.yaml", ErrorCode::catalog);
        FAIL("loaded what is not there");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::catalog);
        CHECK(error.message().find("none.yaml: No such file") != std::string::npos);
        CHECK(error.context("location") == (directory.path() / "none.yaml").string());
    }
    std::ofstream(path) << std::string((1u << 20) + 1, '#');
    CHECK_THROWS_AS(YamlNode::load(path, ErrorCode::catalog), Error);
}
