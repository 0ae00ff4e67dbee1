// SPDX-License-Identifier: Apache-2.0
#include "device/launch_check.h"

#include <kiln/error.h>

#include <doctest/doctest.h>

#include <array>

using namespace kiln;

namespace {

KernelInfo vector_add() {
    KernelInfo kernel;
    kernel.symbol = "vector_add";
    kernel.parameters = {{0, 8}, {8, 8}, {16, 8}, {24, 4}};
    return kernel;
}

device::LaunchLimits hopper() {
    device::LaunchLimits limits;
    limits.device = 1;
    limits.capability = {9, 0};
    limits.threads_per_block = 512;
    limits.static_shared_bytes = 1024;
    limits.dynamic_shared_bytes = 231424;
    limits.cooperative = true;
    limits.clusters = true;
    return limits;
}

std::string message_of(const auto& action) {
    try {
        action();
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::usage);
        return error.message();
    }
    return "nothing was thrown";
}

std::string argument_message(const KernelInfo& kernel, std::vector<std::size_t> sizes,
                             int null_argument = -1) {
    int value = 0;
    std::vector<void*> pointers(sizes.size(), &value);
    if (null_argument >= 0)
        pointers[static_cast<std::size_t>(null_argument)] = nullptr;
    return message_of([&] { device::check_arguments(kernel, pointers, sizes); });
}

std::string config_message(const LaunchConfig& config, device::LaunchLimits limits = hopper()) {
    return message_of([&] { device::check_config(vector_add(), limits, config); });
}

constexpr const char* fine = "nothing was thrown";
const std::string on_device = "vector_add(8, 8, 8, 4 bytes) on device 1 (9.0): ";

} // namespace

TEST_CASE("a signature shows the name that was asked for and the sizes") {
    auto kernel = vector_add();
    CHECK(device::signature(kernel) == "vector_add(8, 8, 8, 4 bytes)");
    kernel.expressions = {"rms_norm<float, 4>"};
    CHECK(device::signature(kernel) == "rms_norm<float, 4>(8, 8, 8, 4 bytes)");
    kernel.parameters.clear();
    CHECK(device::signature(kernel) == "rms_norm<float, 4>()");
}

TEST_CASE("an argument list that fits passes") {
    CHECK(argument_message(vector_add(), {8, 8, 8, 4}) == fine);
    KernelInfo none;
    none.symbol = "tick";
    CHECK(argument_message(none, {}) == fine);
}

TEST_CASE("a wrong number of arguments shows the signature and what was given") {
    CHECK(argument_message(vector_add(), {8, 8, 8}) ==
          "vector_add(8, 8, 8, 4 bytes) takes 4 arguments and was given 3 (8, 8, 8 bytes)");
    CHECK(argument_message(vector_add(), {}) ==
          "vector_add(8, 8, 8, 4 bytes) takes 4 arguments and was given 0 ()");
    CHECK(argument_message(vector_add(), {8, 8, 8, 4, 4}).find("was given 5") != std::string::npos);
}

TEST_CASE("a wrong size names the argument, counted from 1") {
    CHECK(argument_message(vector_add(), {8, 8, 8, 8}) ==
          "argument 4 of vector_add(8, 8, 8, 4 bytes) has 8 bytes; given were (8, 8, 8, 8 bytes)");
    CHECK(argument_message(vector_add(), {4, 8, 8, 4}).starts_with("argument 1 of "));
}

TEST_CASE("a null pointer and a list of sizes that is too short are refused") {
    CHECK(argument_message(vector_add(), {8, 8, 8, 4}, 2) ==
          "the pointer to argument 3 of vector_add(8, 8, 8, 4 bytes) is null");
    int value = 0;
    const std::array<void*, 4> pointers{&value, &value, &value, &value};
    const std::array<std::size_t, 3> sizes{8, 8, 8};
    CHECK(message_of([&] { device::check_arguments(vector_add(), pointers, sizes); }) ==
          "vector_add(8, 8, 8, 4 bytes): 4 arguments came with 3 sizes");
}

TEST_CASE("launches within the limits pass, up to the last of each") {
    CHECK(config_message({{1, 1, 1}, {512, 1, 1}}) == fine);
    CHECK(config_message({{2147483647, 65535, 65535}, {8, 8, 8}}) == fine);
    LaunchConfig config{{1, 1, 1}, {1, 1, 1}};
    config.dynamic_shared_bytes = 231424;
    CHECK(config_message(config) == fine);
}

TEST_CASE("a side of 0 or beyond the device's bound is refused") {
    CHECK(config_message({{0, 1, 1}, {1, 1, 1}}) ==
          on_device + "a grid of 0 x 1 x 1 is outside 1 to 2147483647 x 65535 x 65535");
    CHECK(config_message({{1, 65536, 1}, {1, 1, 1}}).find("a grid of 1 x 65536 x 1") !=
          std::string::npos);
    CHECK(config_message({{1, 1, 1}, {1, 0, 1}}).find("a block of 1 x 0 x 1") != std::string::npos);
    CHECK(config_message({{1, 1, 1}, {1, 1, 65}}).find("a block of 1 x 1 x 65") !=
          std::string::npos);
}

TEST_CASE("a block beyond what the kernel allows names both numbers") {
    CHECK(config_message({{1, 1, 1}, {513, 1, 1}}) ==
          on_device +
              "a block of 513 threads is more than the 512 that its registers or its launch "
              "bounds allow");
    // The product does not fit 32 bits.
    auto limits = hopper();
    limits.block = {4294967295u, 4294967295u, 1};
    CHECK(config_message({{1, 1, 1}, {65536, 65536, 1}}, limits).find("4294967296 threads") !=
          std::string::npos);
}

TEST_CASE("shared memory beyond the device's names both numbers") {
    LaunchConfig config{{1, 1, 1}, {1, 1, 1}};
    config.dynamic_shared_bytes = 231425;
    CHECK(config_message(config) == on_device + "231425 bytes of dynamic shared memory are more "
                                                "than the 231424 that the device leaves beside "
                                                "1024 static ones");
}

TEST_CASE("clusters and cooperative launches need a device that has them, and whole clusters") {
    LaunchConfig config{{6, 1, 1}, {1, 1, 1}};
    config.cluster = {2, 0, 0};
    CHECK(config_message(config) == fine);
    config.cluster = {4, 1, 1};
    CHECK(config_message(config) ==
          on_device + "a grid of 6 x 1 x 1 is not a whole number of clusters of 4 x 1 x 1");
    config.cluster = {2, 1, 1};
    config.cooperative = true;
    CHECK(config_message(config) == fine);
    auto limits = hopper();
    limits.clusters = false;
    CHECK(config_message(config, limits) == on_device + "the device has no clusters");
    limits.cooperative = false;
    CHECK(config_message(config, limits) == on_device + "the device has no cooperative launch");
}
