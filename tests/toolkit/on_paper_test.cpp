// SPDX-License-Identifier: Apache-2.0
#include "toolkit/on_paper.h"
#include "toolkit/toolkit_tree.h"

#include <doctest/doctest.h>

#include <string>

using kiln::toolkit::on_paper;

namespace {

bool has(const char* version, const char* target) {
    const auto paper = on_paper(version);
    REQUIRE(paper);
    CHECK(paper->capabilities.nvrtc == paper->capabilities.nvcc);
    return paper->capabilities.nvrtc_has(kiln::Target::parse(target));
}

} // namespace

TEST_CASE("a target is on paper from its first release to its last") {
    CHECK_FALSE(has("12.6", "sm_100"));
    CHECK(has("12.8", "sm_100"));
    CHECK(has("12.8", "sm_100a"));
    CHECK_FALSE(has("12.8", "sm_100f"));
    CHECK(has("12.9", "sm_100f"));
    CHECK_FALSE(has("12.8", "sm_103"));
    CHECK(has("12.9", "sm_70"));
    CHECK_FALSE(has("13.0", "sm_70"));
    CHECK(has("12.9", "sm_101a"));
    CHECK_FALSE(has("13.0", "sm_101a"));
    CHECK(has("13.0", "sm_110a"));
    CHECK_FALSE(has("13.3", "sm_107a"));
    CHECK(has("13.4", "sm_107a"));
    CHECK_FALSE(has("13.5", "sm_90f"));
    CHECK(has("10.2", "sm_30"));
    CHECK_FALSE(has("11.0", "sm_30"));
}

TEST_CASE("a version is kept as it was asked for, whatever its patch") {
    for (const char* wanted : {"12.6", "12.8.93"}) {
        const auto paper = on_paper(wanted);
        REQUIRE(paper);
        CHECK(paper->version.str() == wanted);
        CHECK(paper->note == "");
    }
    CHECK(on_paper("12.6.0")->version.str() == "12.6");
    CHECK(on_paper("12.8.93")->capabilities.nvrtc == on_paper("12.8")->capabilities.nvrtc);
}

TEST_CASE("a major version, or none, is the newest known release of it") {
    CHECK(on_paper("12")->version.str() == "12.9");
    CHECK(on_paper("12")->note == "");
    CHECK(on_paper("")->version == on_paper("13")->version);
    CHECK(on_paper("")->note == "");
}

TEST_CASE("a version that is no release is the newest below it, and that is said") {
    const auto newest = on_paper("")->version.str();
    for (const char* wanted : {"13.9", "14", "99.1.2"}) {
        CHECK(on_paper(wanted)->version.str() == newest);
        CHECK(on_paper(wanted)->note == "Kiln knows no CUDA " + std::string(wanted) + ": CUDA " +
                                            newest + " is taken, the newest release below it");
    }
    CHECK(on_paper("12.7")->version.str() == "12.6");
    CHECK(contains(on_paper("12.7")->note, "CUDA 12.6 is taken"));
    CHECK(on_paper("12.10")->version.str() == "12.9");
}

TEST_CASE("of what is no version, or older than all, nothing is on paper") {
    for (const char* wanted : {"newest", "/opt/cuda", "9.2", "9", "0", "12.", "-1"})
        CHECK_FALSE(on_paper(wanted));
}
