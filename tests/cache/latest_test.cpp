// SPDX-License-Identifier: Apache-2.0
#include "cache/latest.h"

#include <doctest/doctest.h>

using namespace kiln;
using namespace kiln::cache;

TEST_CASE("a change of one value names the parts that differ") {
    CHECK(describe_change("options", "-DX=1", "-DX=2") == "options: -DX=1 became -DX=2");
    CHECK(describe_change("options", "-DA\n-DX=1\n-DB", "-DA\n-DX=2\n-DB") ==
          "options: -DX=1 became -DX=2");
    CHECK(describe_change("options", "-DA -DX=1", "-DA -DX=2") == "options: -DX=1 became -DX=2");
    CHECK(describe_change("options", "-DA\n-DB", "-DB\n-DA") == "options: -DA -DB became -DB -DA");
    CHECK(describe_change("options", "-DA", "-DA\n-DB=x y") == "options: -DB=x y was added");
    CHECK(describe_change("options", "-DA\n-DB", "-DB") == "options: -DA was dropped");
    CHECK(describe_change("options", "", "-DA") == "options: -DA was added");
    CHECK(describe_change("compiler", std::string(64, 'a'), std::string(64, 'b')) ==
          "compiler: aaaaaaaaaaaa became bbbbbbbbbbbb");
    CHECK(describe_change("text", std::string(5000, 'x'), "y").size() < 200);
}

TEST_CASE("the first field that differs is the one named") {
    Request request;
    request.fields = {{"source", "k.cu"}, {"toolkit", "12.9"}, {"options", "-DA"}};
    request.roots = {{"source", "/p"}, {"I0", "/q"}};
    const Latest before = Latest::of(request);
    const auto difference = [&](auto change) {
        Request other = request;
        change(other);
        return first_difference(before, Latest::of(other));
    };
    CHECK(difference([](Request& r) {
              r.fields[1].second = "13.0";
              r.fields[2].second = "-DB";
          }) == "toolkit: 12.9 became 13.0");
    CHECK(difference([](Request& r) { r.fields.emplace_back("backend", "nvcc"); }) ==
          "backend: nvcc was added");
    CHECK(difference([](Request& r) { r.fields.pop_back(); }) == "options: is asked for no more");
    CHECK(difference([](Request& r) { std::swap(r.fields[0], r.fields[1]); }) ==
          "the order of the fields differs");
    CHECK(difference([](Request& r) {
              r.roots.push_back({"I1", "/r"});
          }) == "search path: I1 was added");
    CHECK(difference([](Request& r) { r.roots[1].path = "/p/q"; }) ==
          "search path: the roots lie within each other in another way");
    CHECK(difference([](Request&) {}) == "its manifest is gone");
}

TEST_CASE("a record is read as it was written, for its own subject alone") {
    Request request;
    request.fields = {{"source", "k.cu"}, {"log", "\xff"}};
    request.roots = {{"source", "/p"}};
    request.label = "k";
    request.target = Target::parse("sm_90a");
    const std::vector<std::byte> file = encode_latest(Latest::of(request));
    const auto latest = decode_latest(file, request);
    REQUIRE(latest);
    CHECK(latest->fields == request.fields);
    CHECK(latest->request == request.digest());
    CHECK(latest->roots == std::vector<std::string>{"source"});
    Request other = request;
    other.target = Target::parse("sm_90");
    CHECK_FALSE(decode_latest(file, other));
    CHECK(latest_subject(other) != latest_subject(request));
    CHECK_FALSE(decode_latest(std::span(file).first(file.size() - 1), request));
}
