// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"

#include <kiln/arch.h>

#include <algorithm>
#include <vector>

using kiln::ComputeCapability;
using kiln::ErrorCode;
using kiln::Suffix;
using kiln::Target;
using kiln::TargetKind;

TEST_CASE("every way to write a target") {
    CHECK(Target::parse("sm_120") == Target{{12, 0}, Suffix::none, TargetKind::real});
    CHECK(Target::parse("sm_120a") == Target{{12, 0}, Suffix::a, TargetKind::real});
    CHECK(Target::parse("sm_100f") == Target{{10, 0}, Suffix::f, TargetKind::real});
    CHECK(Target::parse("compute_90") == Target{{9, 0}, Suffix::none, TargetKind::virtual_});
    CHECK(Target::parse("compute_121f") == Target{{12, 1}, Suffix::f, TargetKind::virtual_});
    CHECK(Target::parse("9.0a") == Target{{9, 0}, Suffix::a, TargetKind::real});
    CHECK(Target::parse("12.0") == Target{{12, 0}, Suffix::none, TargetKind::real});
    // No toolkit has it; that is for the toolkit to say.
    CHECK(Target::parse("sm_90f") == Target{{9, 0}, Suffix::f, TargetKind::real});
}

TEST_CASE("every capability and suffix goes from text to a target and back") {
    for (std::uint16_t major = 5; major <= 13; ++major)
        for (std::uint16_t minor = 0; minor <= 9; ++minor)
            for (const auto suffix : {Suffix::none, Suffix::a, Suffix::f})
                for (const auto kind : {TargetKind::real, TargetKind::virtual_}) {
                    const ComputeCapability capability{major, minor};
                    const Target target{capability, suffix, kind};
                    CAPTURE(target.str());
                    CHECK(Target::parse(target.str()) == target);
                    CHECK(ComputeCapability::parse(capability.str()) == capability);
                    CHECK(ComputeCapability::from_number(capability.number()) == capability);
                    const std::string letter = suffix == Suffix::none ? ""
                                               : suffix == Suffix::a  ? "a"
                                                                      : "f";
                    CHECK(Target::parse(capability.str() + letter) ==
                          Target{capability, suffix, TargetKind::real});
                }
}

TEST_CASE("targets are ordered by capability, then suffix, then real before virtual") {
    const std::vector<std::string> ordered{"sm_75",   "compute_75",   "sm_90",      "compute_90",
                                           "sm_90a",  "compute_90a",  "sm_100",     "sm_100a",
                                           "sm_100f", "compute_100f", "sm_103",     "sm_120",
                                           "sm_120a", "sm_120f",      "compute_121"};
    std::vector<Target> targets;
    for (const auto& text : ordered)
        targets.push_back(Target::parse(text));
    std::reverse(targets.begin(), targets.end());
    std::sort(targets.begin(), targets.end());
    for (std::size_t i = 0; i < ordered.size(); ++i)
        CHECK(targets[i].str() == ordered[i]);
}

TEST_CASE("the virtual target keeps capability and suffix") {
    CHECK(Target::parse("sm_120a").as_virtual().str() == "compute_120a");
    CHECK(Target::parse("sm_90").as_virtual().str() == "compute_90");
}

TEST_CASE("what is not a target is refused, with the spelling that was meant") {
    struct Case {
        std::string text;
        std::string hint;
    };
    for (const auto& [text, hint] : {
             Case{"90", "write 9.0 or sm_90"},
             {"120a", "write 12.0a or sm_120a"},
             {"12", "write 12.0 or sm_120"},
             {"12a", "write 12.0a or sm_120a"},
             {"12.10", "write 12.1"},
             {"12.00a", "write 12.0a"},
             {"9,0", "write 9.0"},
             {"9,0a", "write 9.0a"},
             {"sm_90 ", "write sm_90"},
             {" sm_90", "write sm_90"},
             {"sm_90\n", "write sm_90"},
             {"SM_90", "write sm_90"},
             {"SM_90A ", "write sm_90a"},
             {"Compute_90", "write compute_90"},
             {"lto_90", "write sm_90"},
             {"sm90", "write sm_90"},
             {"sm-90a", "write sm_90a"},
             {"s_90", "write sm_90"},
             {"compue_90", "write compute_90"},
             {"sm_9.0", "write sm_90"},
             {"90a-real", "write sm_90a"},
             {"12.0-virtual", "write compute_120"},
             {"9.0af", "write 9.0a or 9.0f"},
             {"sm_100fa", "write sm_100a or sm_100f"},
             {"sm_90b", "write sm_90"},
             {"12.0+PTX", "write 12.0"},
             {"sm_90a+PTX", "write sm_90a"},
             {"", "such as sm_120"},
             {"banana", "such as 12.0"},
             {"sm_", "such as 12.0"},
             {"sm_1", "such as 12.0"},
             {"sm_09", "such as 12.0"},
             {"sm_1000", "such as 12.0"},
             {"1000.0", "such as 12.0"},
             {"12.15", "such as 12.0"},
             {"all", "such as 12.0"},
             {"native", "such as 12.0"},
             {"sm_90;sm_120", "such as 12.0"},
         }) {
        CAPTURE(text);
        const auto error = refusal_of([&] { Target::parse(text); });
        CAPTURE(error.what());
        CHECK(error.code() == ErrorCode::unknown_arch);
        CHECK(contains(error.hint(), hint));
        CHECK(error.context("entry") == text);
    }
}

TEST_CASE("the reason is one that a person understands") {
    const auto reason = [](std::string_view text) {
        return refusal_of([&] { Target::parse(text); }).message();
    };
    CHECK(reason("9,0") == "'9,0' names no compute capability or target: the minor version follows "
                           "a point, not a comma");
    CHECK(contains(reason("12.10"), "the minor version has one digit"));
    CHECK(contains(reason("banana"), "there is no version in it"));
    CHECK(contains(reason("sm_90 "), "'sm_90 '"));
    CHECK(contains(reason("1000.0"), "the major version has at most two digits"));
    CHECK(contains(reason("9.0af"), "it can have one suffix only"));
    CHECK(contains(reason("sm_90;sm_120"), "separated by commas"));
    CHECK(contains(reason(""), "it is empty"));
}

TEST_CASE("a refused text cannot spoil a terminal or flood it") {
    const auto error = refusal_of([] { Target::parse(std::string(100000, '\x1b')); });
    CHECK(error.message().size() < 400);
    CHECK(contains(error.message(), "\\x1b"));
    CHECK(error.message().find('\x1b') == std::string::npos);
}
