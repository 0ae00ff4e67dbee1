// SPDX-License-Identifier: Apache-2.0
#include "device/query.h"

#include <doctest/doctest.h>

using namespace kiln;

TEST_CASE("a UUID is written as nvidia-smi writes it") {
    CUuuid uuid{};
    for (int i = 0; i < 16; ++i)
        uuid.bytes[i] = static_cast<char>(0xf0 + i);
    CHECK(device::uuid_text(uuid, false) == "GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
    CHECK(device::uuid_text(uuid, true) == "MIG-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
}
