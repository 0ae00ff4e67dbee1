// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "catalog/ranges.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using kiln::ComputeCapability;
using kiln::catalog::CapabilityRanges;
using kiln::catalog::VersionRanges;

namespace {

std::string held(const char* range) {
    const auto ranges = CapabilityRanges::parse(range);
    std::string text;
    for (const int number : {70, 75, 80, 86, 87, 89, 90, 100, 101, 103, 107, 110, 120, 121, 130}) {
        const auto capability = ComputeCapability::from_number(number);
        if (ranges.contains(capability)) {
            text += (text.empty() ? "" : " ") + capability.str();
        }
    }
    return text;
}

bool has(const char* range, const char* version) {
    return VersionRanges::parse(range).contains(*kiln::toolkit::Version::parse(version));
}

} // namespace

TEST_CASE("capability ranges hold what they say") {
    struct {
        const char* range;
        const char* capabilities;
    } const table[] = {
        {"12.0", "12.0"},
        {">=10.0", "10.0 10.1 10.3 10.7 11.0 12.0 12.1 13.0"},
        {">12.0", "12.1 13.0"},
        {"<8.0", "7.0 7.5"},
        {"<=8.0", "7.0 7.5 8.0"},
        {"10.0..10.3", "10.0 10.1 10.3"},
        {">=9.0 <11.0", "9.0 10.0 10.1 10.3 10.7"},
        {"8.9, 9.0", "8.9 9.0"},
        {"<8.0, 9.0, >=12.0", "7.0 7.5 9.0 12.0 12.1 13.0"},
        {"10.0f", "10.0 10.3 10.7"}, // 10.1 was a Tegra part, a family of its own
        {"10.3f", "10.3 10.7"},
        {"12.0f, 9.0", "9.0 12.0 12.1"},
    };
    for (const auto& row : table) {
        CAPTURE(row.range);
        CHECK(held(row.range) == row.capabilities);
    }
}

TEST_CASE("a YAML list and a comma list are the same") {
    const std::vector<std::string> list{"8.9", ">=12.0"};
    const auto ranges = CapabilityRanges::parse(list);
    CHECK(ranges.contains({8, 9}));
    CHECK(ranges.contains({12, 1}));
    CHECK_FALSE(ranges.contains({9, 0}));
}

TEST_CASE("versions are compared as exactly as the range is written") {
    CHECK(has("12.9", "12.9.86"));
    CHECK(has("12.9.86", "12.9.86"));
    CHECK_FALSE(has("12.9.41", "12.9.86"));
    CHECK(has("13", "13.4.1"));
    CHECK(has("<=12.9", "12.9.86"));
    CHECK_FALSE(has(">12.9", "12.9.86"));
    CHECK(has(">12.9", "13.0"));
    CHECK(has(">=12.8 <13.0", "12.9.86"));
    CHECK_FALSE(has(">=12.8 <13.0", "13.0.88"));
    CHECK(has("12.8..12.9", "12.9.86"));
    CHECK_FALSE(has("12.8..12.9", "12.10"));
    CHECK(has("12.6, 13.0", "13.0.88"));
    CHECK_FALSE(has("12.6, 13.0", "12.8"));
    CHECK(has(">=12.9", "12.10"));
}

TEST_CASE("what is not understood is named") {
    for (const char* wrong : {"12", "12.10", ">=11", "9,0", "", ">=", "12.0..", "9.0-10.0", "sm_90",
                              "9.0a", ">= 9.0", "banana"}) {
        CAPTURE(wrong);
        const auto error = refusal_of([&] { CapabilityRanges::parse(wrong); });
        CHECK(error.code() == kiln::ErrorCode::usage);
        CHECK(contains(error.message(), "is not a capability range"));
    }
    CHECK(contains(refusal_of([] { VersionRanges::parse(">=12.x"); }).message(), "`>=12.x`"));
}

TEST_CASE("a range that holds nothing is an error") {
    CHECK(contains(refusal_of([] { CapabilityRanges::parse(">=10.0 <9.0"); }).message(),
                   "holds nothing"));
    CHECK(contains(refusal_of([] { CapabilityRanges::parse("10.3..10.0"); }).message(),
                   "holds nothing"));
}

TEST_CASE("terms of a list that overlap are an error, with what was meant") {
    // Read as a list this would hold for everything.
    const auto error = refusal_of([] { CapabilityRanges::parse(">=10.0,<11.0"); });
    CHECK(contains(error.message(), "overlap"));
    CHECK(contains(error.hint(), "`>=10.0 <11.0`"));
    CHECK(contains(refusal_of([] { CapabilityRanges::parse("9.0, 9.0"); }).message(), "overlap"));
    CHECK(contains(refusal_of([] { VersionRanges::parse("12.9, >=12.8"); }).message(), "overlap"));
}
