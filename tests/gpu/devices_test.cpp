// SPDX-License-Identifier: Apache-2.0
#include "children.h"
#include "fixture.h"

#include <regex>

using namespace kiln;
using namespace kiln::gpu;

TEST_CASE("devices() describes what is there") {
    const auto list = devices();
    REQUIRE_FALSE(list.devices.empty());
    CHECK(list.reason.empty());
    CHECK(std::regex_match(list.driver_version, std::regex("[0-9]+\\.[0-9]+")));
    for (std::size_t i = 0; i < list.devices.size(); ++i) {
        const auto& one = list.devices[i];
        CHECK(one.index == static_cast<int>(i));
        CHECK_FALSE(one.name.empty());
        CHECK(one.capability >= ComputeCapability{5, 0});
        CHECK(one.memory_bytes > (1u << 28));
        CHECK(one.shared_bytes_per_block >= 48 * 1024);
        const std::regex uuid("(GPU|MIG)(-[0-9a-f]{4,12}){5}");
        CHECK_MESSAGE(std::regex_match(one.uuid, uuid), one.uuid);
        CHECK(one.uuid.starts_with(one.mig ? "MIG" : "GPU"));
    }
}

TEST_CASE("CUDA_VISIBLE_DEVICES is left to the driver, whatever it says") {
    const auto visible = [](const std::string& value) {
        const auto result = child({"devices"}, {{"CUDA_VISIBLE_DEVICES", value}});
        CHECK_MESSAGE(result.code == 0, value);
        return result.output;
    };
    CHECK(visible("0").starts_with("1 "));
    CHECK(visible(device_info().uuid).starts_with("1 "));
    for (const char* hides : {"", "-1", "1000", "GPU-00000000-0000-0000-0000-000000000000",
                              "MIG-00000000-0000-0000-0000-000000000000"}) {
        const auto output = visible(hides);
        CAPTURE(hides);
        CAPTURE(output);
        CHECK(output.starts_with("0 "));
        CHECK(output.find("CUDA_VISIBLE_DEVICES is set") != std::string::npos);
    }
    // What the driver makes of this is its own affair; that it is asked is enough.
    visible("a,b");
}

TEST_CASE("a device that is not there is named, with how many there are") {
    const auto count = static_cast<int>(devices().devices.size());
    for (const int index : {-1, count, 1000}) {
        std::string message;
        CHECK(code_of([&] { const DeviceBuffer buffer(index, 16); }, &message) ==
              ErrorCode::device_missing);
        CHECK(message.find("there is no device " + std::to_string(index)) != std::string::npos);
    }
}

TEST_CASE("a buffer moves, copies both ways and refuses more than it holds") {
    DeviceBuffer first(tested_device, 8);
    const std::vector<std::byte> data(8, std::byte{7});
    first.upload(data);
    DeviceBuffer second(std::move(first));
    CHECK(first.bytes() == 0); // NOLINT(bugprone-use-after-move): what a move leaves is promised
    std::vector<std::byte> back(8);
    second.download(back);
    CHECK(back == data);
    const std::vector<std::byte> more(9);
    CHECK(code_of([&] { second.upload(more); }) == ErrorCode::usage);
    CHECK(DeviceBuffer(tested_device, 0).as<char>() == nullptr);
}
