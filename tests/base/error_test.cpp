// SPDX-License-Identifier: Apache-2.0
#include <kiln/error.h>

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <type_traits>

using kiln::Error;
using kiln::ErrorCode;

TEST_CASE("an error says its parts, and message and hint in one line") {
    const Error error(ErrorCode::policy, "no such rule", "name one", {{"location", "p.yaml:1:2"}});
    CHECK(error.code() == ErrorCode::policy);
    CHECK(error.message() == "no such rule");
    CHECK(error.hint() == "name one");
    CHECK(std::string(error.what()) == "no such rule (name one)");
    CHECK(error.context("location") == "p.yaml:1:2");
    CHECK(error.context("module") == "");
    CHECK(std::string(Error(ErrorCode::io, "broken").what()) == "broken");
}

TEST_CASE("copies share their contents and never throw") {
    static_assert(std::is_nothrow_copy_constructible_v<Error>);
    static_assert(std::is_nothrow_copy_assignable_v<Error>);
    const Error error(ErrorCode::io, "broken", "mend it", {{"path", "/a"}});
    Error copy(ErrorCode::usage, "other");
    copy = error;
    CHECK(&copy.message() == &error.message());
    CHECK(copy.what() == error.what());
}

TEST_CASE("with adds a detail and keeps the first cause") {
    const Error error(ErrorCode::io, "broken", "mend it");
    const Error more = error.with("module", "gemm");
    CHECK(error.context().empty());
    CHECK(more.context("module") == "gemm");
    CHECK(more.hint() == "mend it");
    const Error again = more.with("module", "softmax").with("target", "sm_120");
    CHECK(again.context("module") == "gemm");
    CHECK(again.context("target") == "sm_120");
    CHECK(again.context().size() == 2);
}

TEST_CASE("every code has a name of its own") {
    std::set<std::string_view> names;
    const int last = static_cast<int>(ErrorCode::internal);
    for (int i = 0; i <= last; ++i)
        names.insert(to_string(static_cast<ErrorCode>(i)));
    CHECK(names.size() == static_cast<std::size_t>(last) + 1);
    CHECK(to_string(ErrorCode::unsupported_target) == "unsupported_target");
}
