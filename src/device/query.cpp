// SPDX-License-Identifier: Apache-2.0
#include "device/query.h"

#include "device/context.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <mutex>

namespace kiln::device {
namespace {

int attribute(const Driver& driver, CUdevice_attribute which, CUdevice handle) {
    int value = 0;
    driver.check(driver.device_get_attribute(&value, which, handle), "cuDeviceGetAttribute");
    return value;
}

/// For attributes that an older driver does not know: 0 then.
int attribute_or_zero(const Driver& driver, CUdevice_attribute which, CUdevice handle) {
    int value = 0;
    return driver.device_get_attribute(&value, which, handle) == CUDA_SUCCESS ? value : 0;
}

/// UUID and whether it is that of a MIG instance. The second version of cuDeviceGetUuid answers
/// with the instance's UUID under MIG, the first always with the board's (CUDA Driver API,
/// cuDeviceGetUuid); where a driver has only one of them, MIG cannot be known and is said to be
/// off.
void read_uuid(const Driver& driver, CUdevice handle, DeviceInfo& info) {
    CUuuid own{};
    CUuuid board{};
    const bool has_own =
        driver.device_get_uuid != nullptr && driver.device_get_uuid(&own, handle) == CUDA_SUCCESS;
    const bool has_board = driver.device_get_board_uuid != nullptr &&
                           driver.device_get_board_uuid(&board, handle) == CUDA_SUCCESS;
    if (!has_own && !has_board)
        return;
    info.mig = has_own && has_board && std::memcmp(own.bytes, board.bytes, sizeof own.bytes) != 0;
    info.uuid = uuid_text(has_own ? own : board, info.mig);
}

} // namespace

std::string uuid_text(const CUuuid& uuid, bool mig) {
    std::string text = mig ? "MIG" : "GPU";
    for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

ComputeCapability device_capability(const Driver& driver, CUdevice handle) {
    const auto ask = [&](CUdevice_attribute which) {
        return static_cast<std::uint16_t>(attribute(driver, which, handle));
    };
    return {ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)};
}

ComputeCapability capability_of(int device) {
    struct Known {
        std::mutex mutex;
        std::map<int, ComputeCapability> capabilities;
    };
    // Leaked like the driver, for threads that outlive static objects.
    static auto& known = *new Known;
    // Before the lock, which another thread of a parent may hold.
    Driver::refuse_forked_child();
    const std::lock_guard lock(known.mutex);
    const auto found = known.capabilities.find(device);
    if (found != known.capabilities.end())
        return found->second;
    const auto& driver = Driver::get();
    const auto capability = device_capability(driver, device_handle(driver, device));
    known.capabilities.emplace(device, capability);
    return capability;
}

std::string device_name(const Driver& driver, CUdevice handle) {
    char name[256] = {};
    driver.check(driver.device_get_name(name, sizeof name, handle), "cuDeviceGetName");
    return name;
}

LaunchLimits device_limits(const Driver& driver, CUdevice handle) {
    const auto ask = [&](CUdevice_attribute which) {
        return static_cast<std::uint32_t>(attribute(driver, which, handle));
    };
    LaunchLimits limits;
    limits.capability = device_capability(driver, handle);
    limits.threads_per_block = ask(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    limits.block = {ask(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                    ask(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                    ask(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)};
    limits.grid = {ask(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X), ask(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                   ask(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)};
    limits.dynamic_shared_bytes = ask(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    limits.cooperative =
        attribute_or_zero(driver, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, handle) != 0;
    limits.clusters = attribute_or_zero(driver, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, handle) != 0;
    return limits;
}

DeviceInfo device_info(const Driver& driver, int index) {
    CUdevice handle = 0;
    driver.check(driver.device_get(&handle, index), "cuDeviceGet");
    DeviceInfo info;
    info.index = index;
    info.name = device_name(driver, handle);
    info.capability = device_capability(driver, handle);
    std::size_t bytes = 0;
    driver.check(driver.device_total_mem(&bytes, handle), "cuDeviceTotalMem");
    info.memory_bytes = bytes;
    info.shared_bytes_per_block = static_cast<std::uint32_t>(
        attribute(driver, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, handle));
    info.integrated = attribute(driver, CU_DEVICE_ATTRIBUTE_INTEGRATED, handle) != 0;
    read_uuid(driver, handle, info);
    return info;
}

} // namespace kiln::device
