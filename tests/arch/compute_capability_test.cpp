// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"

#include <kiln/arch.h>

using kiln::ComputeCapability;
using kiln::ErrorCode;

TEST_CASE("a capability is two numbers, and 12.0, 1.2 and 12.1 stay apart") {
    CHECK(ComputeCapability::parse("12.0") == ComputeCapability{12, 0});
    CHECK(ComputeCapability::parse("1.2") == ComputeCapability{1, 2});
    CHECK(ComputeCapability::parse("12.1") == ComputeCapability{12, 1});
    CHECK(ComputeCapability::parse("10.0") == ComputeCapability{10, 0});
    CHECK(ComputeCapability::parse("7.5").str() == "7.5");
    CHECK(ComputeCapability::parse("12.1").number() == 121);
}

TEST_CASE("capabilities are ordered as numbers, not as text") {
    CHECK(ComputeCapability::parse("9.0") < ComputeCapability::parse("10.0"));
    CHECK(ComputeCapability::parse("10.3") < ComputeCapability::parse("12.0"));
    CHECK(ComputeCapability::parse("8.6") < ComputeCapability::parse("8.9"));
}

TEST_CASE("a number is a capability where it has two or three digits") {
    CHECK(ComputeCapability::from_number(120) == ComputeCapability{12, 0});
    CHECK(ComputeCapability::from_number(75) == ComputeCapability{7, 5});
    CHECK(ComputeCapability::from_number(999) == ComputeCapability{99, 9});
    for (const int number : {-90, 0, 9, 1000, 65536 * 10 + 90})
        CHECK(refusal_of([&] { ComputeCapability::from_number(number); }).code() ==
              ErrorCode::unknown_arch);
}

TEST_CASE("what is not exactly major.minor is refused, with the spelling that was meant") {
    struct Case {
        std::string text;
        std::string hint;
    };
    for (const auto& [text, hint] : {
             Case{"12", "write 12.0"},  {"12.10", "write 12.1"},
             {"9,0", "write 9.0"},      {" 9.0", "write 9.0"},
             {"9.0 ", "write 9.0"},     {"9.0a", "write 9.0"},
             {"9.0+PTX", "write 9.0"},  {"sm_90", "write 9.0"},
             {"SM_120a", "write 12.0"}, {"compute_90", "write 9.0"},
             {"90", "write 9.0"},       {"9", "write 9.0"},
             {"", "major.minor"},       {".", "major.minor"},
             {"9.", "major.minor"},     {".0", "major.minor"},
             {"-9.0", "major.minor"},   {"+9.0", "major.minor"},
             {"9.0.0", "major.minor"},  {"09.0", "major.minor"},
             {"0.0", "major.minor"},    {"1000.0", "major.minor"},
             {"1e1.0", "major.minor"},  {"99999999999999999999.0", "major.minor"},
             {"banana", "major.minor"},
         }) {
        CAPTURE(text);
        const auto error = refusal_of([&] { ComputeCapability::parse(text); });
        CHECK(error.code() == ErrorCode::unknown_arch);
        CHECK(contains(error.message(), "'" + text + "'"));
        CHECK(contains(error.hint(), hint));
        CHECK(error.context("entry") == text);
    }
}

TEST_CASE("a family is named by its first capability, and a Tegra part is its own") {
    CHECK(ComputeCapability{12, 1}.family() == ComputeCapability{12, 0});
    CHECK(ComputeCapability{10, 3}.family() == ComputeCapability{10, 0});
    CHECK(ComputeCapability{10, 1}.family() == ComputeCapability{10, 1});
    CHECK(ComputeCapability{11, 0}.family() == ComputeCapability{11, 0});
    CHECK(ComputeCapability{9, 0}.family() == ComputeCapability{9, 0});
}
