// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <doctest/doctest.h>

using namespace kiln::base;

TEST_CASE("trim takes blanks off both ends") {
    CHECK(trim(" \t a b\r\n") == "a b");
    CHECK(trim(" \n ") == "");
    CHECK(trim("") == "");
}

TEST_CASE("split keeps empty parts, join is its inverse") {
    CHECK(split("", ',') == std::vector<std::string_view>{""});
    CHECK(split(",a,,b,", ',') == std::vector<std::string_view>{"", "a", "", "b", ""});
    const std::vector<std::string> parts{"", "a", "", "b", ""};
    CHECK(join(parts, ",") == ",a,,b,");
    CHECK(join({}, ",") == "");
}

TEST_CASE("to_lower knows ASCII only") {
    CHECK(to_lower("SM_120A \xC3\x84") == "sm_120a \xC3\x84");
}

TEST_CASE("replace_all does not look at what it has put in") {
    CHECK(replace_all("aaa", "a", "aa") == "aaaaaa");
    CHECK(replace_all("a-b-c", "-", "") == "abc");
    CHECK(replace_all("abc", "", "x") == "abc");
    CHECK(replace_all("abc", "abc", "") == "");
    CHECK(replace_all("abc", "x", "y") == "abc");
}

TEST_CASE("parse_unsigned takes digits and nothing else") {
    CHECK(parse_unsigned("0") == 0u);
    CHECK(parse_unsigned("18446744073709551615") == 18446744073709551615u);
    for (const char* text : {"", "-1", "+1", " 1", "1 ", "0x1", "1.0", "18446744073709551616"})
        CHECK_MESSAGE(!parse_unsigned(text), text);
}

TEST_CASE("edit distance counts a transposition of neighbours once") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("modlue", "module") == 1);
    // Optimal string alignment: no part is edited twice.
    CHECK(edit_distance("ca", "abc") == 3);
}

TEST_CASE("nearest offers what can be meant and nothing farther") {
    const std::vector<std::string> names{"module", "target", "flags"};
    CHECK(nearest("modul", names) == "module");
    CHECK(nearest("tagret", names) == "target");
    CHECK(nearest("flag", names) == "flags");
    CHECK(!nearest("kernel", names));
    CHECK(!nearest("", names));
    CHECK(nearest("b", std::vector<std::string>{"a"}) == "a");
    CHECK(!nearest("module", {}));
}

TEST_CASE("glob matches the whole text") {
    CHECK(glob_match("", ""));
    CHECK(glob_match("*", ""));
    CHECK(glob_match("gemm_*_f16", "gemm_128_f16"));
    CHECK(!glob_match("gemm_*_f16", "gemm_128_f16x"));
    CHECK(glob_match("?m_*", "sm_120"));
    CHECK(!glob_match("?", ""));
    CHECK(glob_match("*a*b*c", "xxaxxbxxabc"));
    CHECK(!glob_match("*a*b*c", "xxaxxbxxabcd"));
    CHECK(!glob_match("[a]", "a"));
}

TEST_CASE("glob takes no exponential time") {
    const std::string text(20000, 'a');
    CHECK(!glob_match("*a*a*a*a*a*a*a*a*a*a*b", text));
}
