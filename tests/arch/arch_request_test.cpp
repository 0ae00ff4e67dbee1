// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"

#include <kiln/arch.h>

#include <algorithm>

using kiln::ArchRequest;
using kiln::ErrorCode;
using kiln::Target;

TEST_CASE("a bare capability leaves the target open, everything else fixes it") {
    CHECK_FALSE(ArchRequest::parse("12.0").written_out);
    CHECK_FALSE(ArchRequest::parse("12.0+PTX").written_out);
    for (const auto* text : {"12.0a", "sm_120", "sm_120f", "compute_90", "sm_90+PTX"})
        CHECK(ArchRequest::parse(text).written_out);
    CHECK(ArchRequest::parse("12.0").target == Target::parse("sm_120"));
    CHECK(ArchRequest::parse("9.0a").target == Target::parse("sm_90a"));
}

TEST_CASE("PTX is asked for with +PTX, and a virtual target is PTX already") {
    CHECK(ArchRequest::parse("12.0+PTX").with_ptx);
    CHECK(ArchRequest::parse("sm_90+PTX").with_ptx);
    CHECK(ArchRequest::parse("9.0a+PTX").with_ptx);
    CHECK_FALSE(ArchRequest::parse("compute_90").with_ptx);
    const auto error = refusal_of([] { ArchRequest::parse("compute_90+PTX"); });
    CHECK(contains(error.message(), "PTX already"));
    CHECK(error.hint() == "write compute_90");
    CHECK(refusal_of([] { ArchRequest::parse("12.0+ptx"); }).hint() == "write 12.0+PTX");
    CHECK(refusal_of([] { ArchRequest::parse("12.0+PTX "); }).hint() == "write 12.0+PTX");
    CHECK_THROWS_AS(ArchRequest::parse("12.0 +PTX"), kiln::Error);
    CHECK_THROWS_AS(ArchRequest::parse("12.0+PTX+PTX"), kiln::Error);
}

TEST_CASE("a request is written as it would be typed, and reads back as itself") {
    CHECK(ArchRequest::parse("12.0").str() == "12.0");
    CHECK(ArchRequest::parse("12.0a").str() == "sm_120a");
    CHECK(ArchRequest::parse("sm_90").str() == "sm_90");
    CHECK(ArchRequest::parse("12.0+PTX").str() == "12.0+PTX");
    CHECK(ArchRequest::parse("10.3a+PTX").str() == "sm_103a+PTX");
    for (std::uint16_t major = 5; major <= 13; ++major)
        for (std::uint16_t minor = 0; minor <= 9; ++minor)
            for (const std::string suffix : {"", "a", "f"})
                for (const std::string ptx : {"", "+PTX"}) {
                    const kiln::ComputeCapability capability{major, minor};
                    for (const auto& text :
                         {capability.str() + suffix + ptx,
                          "sm_" + std::to_string(capability.number()) + suffix + ptx}) {
                        CAPTURE(text);
                        const auto request = ArchRequest::parse(text);
                        CHECK(request.target.capability == capability);
                        CHECK(ArchRequest::parse(request.str()) == request);
                    }
                }
}

TEST_CASE("a list keeps its order and its count") {
    const auto requests = ArchRequest::parse_list("12.1,10.3a, 11.0f ,8.9+PTX,sm_90,sm_90");
    std::vector<std::string> texts;
    for (const auto& request : requests)
        texts.push_back(request.str());
    CHECK(texts ==
          std::vector<std::string>{"12.1", "sm_103a", "sm_110f", "8.9+PTX", "sm_90", "sm_90"});
    CHECK(ArchRequest::parse_list("9.0").size() == 1);
}

TEST_CASE("one error names every entry that is not understood") {
    const auto error =
        refusal_of([] { ArchRequest::parse_list("8.0,9.0a,8.6+PTX,9;0,SM_90,banana,"); });
    CHECK(error.code() == ErrorCode::unknown_arch);
    CHECK(contains(error.message(), "4 of the 7 entries name no compute capability"));
    for (const auto* part : {"'9;0'", "'SM_90'", "'banana'", "entry 7 is empty"})
        CHECK(contains(error.message(), part));
    CHECK(contains(error.hint(), "sm_90 for 'SM_90'"));
    for (const auto* part : {"8.0", "9.0a", "8.6+PTX"})
        CHECK_FALSE(contains(error.message(), part));
    CHECK(std::count_if(error.context().begin(), error.context().end(),
                        [](const auto& detail) { return detail.first == "entry"; }) == 4);
}

TEST_CASE("slips in lists") {
    // Not two entries: a decimal comma.
    CHECK(refusal_of([] { ArchRequest::parse_list("9,0"); }).hint() == "write 9.0");
    CHECK(contains(refusal_of([] { ArchRequest::parse_list("9.0,native"); }).message(),
                   "not for one target"));
    CHECK(contains(refusal_of([] { ArchRequest::parse_list(""); }).message(), "it is empty"));
    CHECK(contains(refusal_of([] { ArchRequest::parse_list(","); }).message(), "entry 2 is empty"));
    CHECK(refusal_of([] { ArchRequest::parse_list("sm_90 "); }).hint() == "write sm_90");
    CHECK(contains(refusal_of([] { ArchRequest::parse_list(" 9.0,12.0"); }).hint(),
                   "9.0 for ' 9.0'"));
    CHECK(contains(refusal_of([] { ArchRequest::parse_list("9.0;12.0"); }).message(),
                   "separated by commas"));
}
