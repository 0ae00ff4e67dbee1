// SPDX-License-Identifier: Apache-2.0
#include "toolkit/target_history.h"

#include <doctest/doctest.h>

#include <string>

namespace {

std::string with(const char* target) {
    return kiln::toolkit::toolkits_with(kiln::Target::parse(target));
}

} // namespace

TEST_CASE("a target that toolkits have is told with the first of them") {
    CHECK(with("sm_75") == "sm_75 is in CUDA 10.0 and newer");
    CHECK(with("sm_90") == "sm_90 is in CUDA 11.8 and newer");
    CHECK(with("sm_90a") == "sm_90a is in CUDA 12.0 and newer");
    CHECK(with("sm_120") == "sm_120 is in CUDA 12.8 and newer");
    CHECK(with("sm_120f") == "sm_120f is in CUDA 12.9 and newer");
    CHECK(with("sm_121a") == "sm_121a is in CUDA 12.9 and newer");
    CHECK(with("compute_100f") == "compute_100f is in CUDA 12.9 and newer");
}

TEST_CASE("a target that was removed is told with the last toolkit") {
    CHECK(with("sm_70") == "sm_70 was removed in CUDA 13.0, the last toolkit with it is 12.9");
    CHECK(with("sm_37") == "sm_37 was removed in CUDA 12.0, the last toolkit with it is 11.8");
    CHECK(with("sm_30") == "sm_30 was removed in CUDA 11.0, the last toolkit with it is 10.2");
}

TEST_CASE("a target that was renamed is told with its other name") {
    CHECK(with("sm_101") == "sm_101 is called sm_110 since CUDA 13.0, and has the old name in "
                            "CUDA 12.8 to 12.9");
    CHECK(with("sm_101f") ==
          "sm_101f is called sm_110f since CUDA 13.0, and has the old name in CUDA 12.9");
    CHECK(with("sm_110a") == "sm_110a is in CUDA 13.0 and newer, and is called sm_101a in CUDA "
                             "12.8 to 12.9");
}

TEST_CASE("a suffix that no toolkit has is told with those that there are") {
    CHECK(with("sm_90f") == "no toolkit known to Kiln has sm_90f, only sm_90, sm_90a");
    CHECK(with("sm_86a") == "no toolkit known to Kiln has sm_86a, only sm_86");
}

TEST_CASE("a target newer than all is told apart from one of which nothing is known") {
    CHECK(with("sm_130") == "no toolkit known to Kiln has sm_130");
    CHECK(with("sm_130a") == "no toolkit known to Kiln has sm_130a");
    CHECK(with("sm_91").empty());
}
