// SPDX-License-Identifier: Apache-2.0
#include "device/refusal.h"

#include <doctest/doctest.h>

using namespace kiln;

TEST_CASE("a driver of an older major is told apart from one of an older minor") {
    CHECK(
        device::refusal_hint(12040, "13.0.88") ==
        "the driver serves CUDA 12.4: use a toolkit of CUDA 12, or install a driver for CUDA 13.0 "
        "or later");
    CHECK(device::refusal_hint(12040, "12.8.93") ==
          "the driver serves CUDA 12.4 and the toolkit is newer: a driver for CUDA 12.8 may be "
          "needed");
}

TEST_CASE("a driver that is new enough is not blamed") {
    for (const char* toolkit : {"13.0.88", "12.8.93", "", "unknown", "13"}) {
        CAPTURE(toolkit);
        CHECK(device::refusal_hint(13000, toolkit).starts_with("the driver is new enough"));
    }
}

TEST_CASE("a misfit names target, device and capability") {
    CHECK(device::misfit_message(Target::parse("sm_120a"), 1, "NVIDIA H200",
                                 ComputeCapability{9, 0}) ==
          "a cubin for sm_120a does not run on device 1 (NVIDIA H200, compute capability 9.0)");
}

TEST_CASE("a driver of an earlier major than the toolkit is warned of") {
    const auto warning = device::driver_warning("12.2", "13.0.88");
    CHECK(warning ==
          "the driver serves CUDA 12.2 and cubins of CUDA 13.0 need one for CUDA 13.0 or "
          "later: use a toolkit of CUDA 12, or a newer driver");
    CHECK(device::driver_warning("13.0", "13.5.37").empty()); // within a major
    CHECK(device::driver_warning("13.0", "12.8.93").empty());
    CHECK(device::driver_warning("", "13.0.88").empty());
    CHECK(device::driver_warning("12.2", "new").empty());
}
