// SPDX-License-Identifier: Apache-2.0
#include "device/context.h"

#include <kiln/device.h>
#include <kiln/error.h>

#include <fmt/format.h>

#include <utility>

namespace kiln {
namespace {

void require_fit(std::size_t bytes, std::size_t room, const char* what) {
    if (bytes > room) {
        throw Error(ErrorCode::usage,
                    fmt::format("{} of {} bytes exceeds a buffer of {}", what, bytes, room));
    }
}

} // namespace

DeviceBuffer::DeviceBuffer(int device, std::size_t bytes) : device_(device), bytes_(bytes) {
    const auto& driver = device::Driver::get_for_loading();
    const device::ContextScope scope(driver, device);
    context_ = scope.context();
    if (bytes == 0)
        return;
    CUdeviceptr address = 0;
    if (const auto result = driver.mem_alloc(&address, bytes); result != CUDA_SUCCESS)
        driver.fail(result, fmt::format("allocating {} bytes on device {}", bytes, device));
    address_ = static_cast<std::uintptr_t>(address);
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : device_(other.device_), context_(other.context_), address_(std::exchange(other.address_, 0)),
      bytes_(std::exchange(other.bytes_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(context_, other.context_);
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

DeviceBuffer::~DeviceBuffer() {
    if (address_ == 0)
        return;
    // A buffer exists, so the driver was found. What fails now (the host has destroyed the context,
    // the process is ending) has freed the memory already.
    const auto& driver = device::Driver::get_for_loading();
    if (driver.in_forked_child() ||
        driver.ctx_push_current(static_cast<CUcontext>(context_)) != CUDA_SUCCESS)
        return;
    driver.mem_free(address_);
    CUcontext popped = nullptr;
    driver.ctx_pop_current(&popped);
}

void DeviceBuffer::upload(std::span<const std::byte> data) {
    require_fit(data.size(), bytes_, "an upload");
    if (data.empty())
        return;
    const auto& driver = device::Driver::get_for_loading();
    driver.refuse_forked_child();
    const device::PushedContext pushed(driver, static_cast<CUcontext>(context_));
    driver.check(driver.memcpy_htod(address_, data.data(), data.size()), "cuMemcpyHtoD");
}

void DeviceBuffer::download(std::span<std::byte> data) const {
    require_fit(data.size(), bytes_, "a download");
    if (data.empty())
        return;
    const auto& driver = device::Driver::get_for_loading();
    driver.refuse_forked_child();
    const device::PushedContext pushed(driver, static_cast<CUcontext>(context_));
    driver.check(driver.memcpy_dtoh(data.data(), address_, data.size()), "cuMemcpyDtoH",
                 "an error on the device shows at the first call that waits for it");
}

void synchronize(int device) {
    const auto& driver = device::Driver::get_for_loading();
    const device::ContextScope scope(driver, device);
    driver.check(driver.ctx_synchronize(), "cuCtxSynchronize",
                 "a launch before it failed on the device: compute-sanitizer finds out which");
}

} // namespace kiln
