// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "device/query.h"

#include <kiln/device.h>
#include <kiln/error.h>

namespace kiln {

DeviceList devices() {
    DeviceList list;
    try {
        const auto& driver = device::Driver::get();
        list.driver_version = driver.version_text();
        driver.initialise();
        int count = 0;
        driver.check(driver.device_get_count(&count), "cuDeviceGetCount");
        for (int index = 0; index < count; ++index) {
            // One that has fallen off the bus must not hide the others.
            try {
                list.devices.push_back(device::device_info(driver, index));
            } catch (const Error& error) {
                base::log().warn("device {} is left out: {}", index, error.message());
                list.reason = error.message();
            }
        }
        if (!list.devices.empty())
            list.reason.clear();
        else if (list.reason.empty())
            list.reason = "the driver shows no device";
    } catch (const Error& error) {
        list.reason = error.message();
    }
    return list;
}

} // namespace kiln
