// SPDX-License-Identifier: Apache-2.0
#include "device/library.h"

#include <kiln/error.h>

#include <doctest/doctest.h>

using namespace kiln;

namespace {

ErrorCode code_of(const auto& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.code();
    }
    FAIL("nothing was thrown");
    return ErrorCode::internal;
}

} // namespace

TEST_CASE("a cubin without bytes is refused before the driver is looked for") {
    CHECK(code_of([] { device::Library::load(Cubin{}, 0); }) == ErrorCode::cubin_invalid);
}

TEST_CASE("an empty kernel answers with an error, not a fault") {
    const Kernel kernel;
    CHECK(code_of([&] { kernel(LaunchConfig{}, 1, 2); }) == ErrorCode::usage);
    CHECK(code_of([&] { static_cast<void>(kernel.info()); }) == ErrorCode::usage);
    CHECK(code_of([&] { static_cast<void>(kernel.device()); }) == ErrorCode::usage);
    CHECK(code_of([&] { static_cast<void>(kernel.function()); }) == ErrorCode::usage);
}
