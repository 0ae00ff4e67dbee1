// SPDX-License-Identifier: Apache-2.0
#include "cache/request.h"

#include <doctest/doctest.h>

using namespace kiln;
using namespace kiln::cache;

namespace {

Request sample() {
    Request request;
    request.fields = {{"source", "k.cu"}, {"options", "-DA\n-DB"}};
    request.target = Target::parse("sm_120a");
    request.roots = {{"source", "/p/src"}, {"I0", "/p/inc"}, {"cuda", "/t/include"}};
    request.source = "/p/src/k.cu";
    request.label = "k";
    return request;
}

} // namespace

TEST_CASE("every field, its order, the target's suffix and the roots are in the digest") {
    const base::Digest digest = sample().digest();
    const auto differs = [&](auto change) {
        Request request = sample();
        change(request);
        return request.digest() != digest;
    };
    CHECK(differs([](Request& r) { r.fields[0].second = "l.cu"; }));
    CHECK(differs([](Request& r) { r.fields[1].second = "-DB\n-DA"; }));
    CHECK(differs([](Request& r) { r.fields[1].first = "flags"; }));
    CHECK(differs([](Request& r) { std::swap(r.fields[0], r.fields[1]); }));
    CHECK(differs([](Request& r) { r.fields.pop_back(); }));
    CHECK(differs([](Request& r) { r.fields.emplace_back("environment", ""); }));
    CHECK(differs([](Request& r) { r.target = Target::parse("sm_120"); }));
    CHECK(differs([](Request& r) { r.target = Target::parse("sm_120f"); }));
    CHECK(differs([](Request& r) { r.roots.pop_back(); }));
    CHECK(differs([](Request& r) { std::swap(r.roots[1], r.roots[2]); }));
    CHECK(differs([](Request& r) { r.roots[1].name = "I1"; }));
}

TEST_CASE("no path and no label is in the digest") {
    const base::Digest digest = sample().digest();
    Request request = sample();
    request.label = "another";
    request.source = "/elsewhere/k.cu";
    request.roots = {{"source", "/q/r/src"}, {"I0", "/q/inc"}, {"cuda", "/usr/t/include"}};
    CHECK(request.digest() == digest);
}

TEST_CASE("which root lies within which other is in the digest") {
    // Names in a manifest are by the longest root: with another nesting they mean other files.
    Request request = sample();
    request.roots[1].path = "/p/src/inc";
    const base::Digest nested = request.digest();
    CHECK(nested != sample().digest());
    request.roots[1].path = "/p/src/include";
    CHECK(request.digest() != nested);
    request.roots[1].path = "/p/src";
    const base::Digest equal = request.digest();
    CHECK(equal != sample().digest());
    CHECK(equal != nested);

    request.roots = {{"source", "/m/src"}, {"I0", "/m/src/inc"}, {"cuda", "/n/include"}};
    CHECK(request.digest() == nested);
}
