// SPDX-License-Identifier: Apache-2.0
#include "cubin/inspect.h"
#include "cubin/test_data.h"

using kiln::ErrorCode;
using kiln::Target;
using kiln::cubin::inspect;
using kiln::cubin::verify;

TEST_CASE("the right target and the kernels that are there pass") {
    const auto image = inspect(test_data("features.sm_90a.cubin"));
    const std::vector<std::string> symbols{"shared", "_Z5scaleIfLi4EEvPT_S0_"};
    CHECK_NOTHROW(verify(image, Target::parse("sm_90a"), symbols));
    CHECK_NOTHROW(verify(image, Target::parse("sm_90a"), {}));
}

TEST_CASE("another target does not pass, be it by its suffix alone") {
    const auto image = inspect(test_data("add_one.sm_120f.cubin"));
    for (const auto* text : {"sm_120", "sm_120a", "sm_121f", "sm_90", "compute_120f"}) {
        CAPTURE(text);
        const auto error = error_of([&] { verify(image, Target::parse(text), {}); });
        CHECK(error.code() == ErrorCode::cubin_invalid);
        CHECK(error.message() == std::string("the cubin is for sm_120f, not for ") + text);
        CHECK(error.context("target") == text);
        CHECK(error.context("found") == "sm_120f");
    }
}

TEST_CASE("an image whose suffix is not known passes for no target") {
    auto image = inspect(test_data("add_one.sm_75.cubin"));
    image.suffix_known = false;
    const auto error = error_of([&] { verify(image, Target::parse("sm_75"), {}); });
    CHECK(error.code() == ErrorCode::cubin_invalid);
    CHECK(contains(error.message(), "no tool note"));
}

TEST_CASE("missing kernels are named, with those that are there") {
    const auto image = inspect(test_data("features.sm_90a.cubin"));
    const std::vector<std::string> symbols{"shard", "shared", "absent"};
    const auto error = error_of([&] { verify(image, Target::parse("sm_90a"), symbols); });
    CHECK(error.code() == ErrorCode::kernel_missing);
    CHECK(contains(error.message(), "kernel shard, absent is not in the cubin"));
    CHECK(contains(error.message(), "_Z5scaleIfLi4EEvPT_S0_"));
    CHECK(contains(error.message(), "parameters"));
    CHECK(error.hint() == "did you mean shared?");
    CHECK(error.context("missing") == "shard absent");
}

TEST_CASE("a cubin without kernels says so, and one with many names a few") {
    kiln::cubin::Image image;
    image.target = Target::parse("sm_90");
    const std::vector<std::string> symbols{"k"};
    const auto missing = [&] {
        return error_of([&] { verify(image, image.target, symbols); }).message();
    };
    CHECK(contains(missing(), "no kernel at all"));
    for (int i = 0; i < 500; ++i)
        image.kernels.emplace_back().symbol = "kernel_number_" + std::to_string(i);
    CHECK(contains(missing(), "and 484 more"));
    CHECK(missing().size() < 600);
}
