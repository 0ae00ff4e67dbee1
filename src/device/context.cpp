// SPDX-License-Identifier: Apache-2.0
#include "device/context.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <map>
#include <mutex>

namespace kiln::device {
namespace {

struct PrimaryContexts {
    std::mutex mutex;
    std::map<CUdevice, CUcontext> retained;
};

PrimaryContexts& primary_contexts() {
    // Leaked like the driver: releasing at exit could destroy a context that others still use.
    static auto* const contexts = new PrimaryContexts;
    return *contexts;
}

} // namespace

CUdevice device_handle(const Driver& driver, int device) {
    driver.initialise();
    int count = 0;
    driver.check(driver.device_get_count(&count), "cuDeviceGetCount");
    if (device < 0 || device >= count) {
        throw Error(ErrorCode::device_missing,
                    fmt::format("there is no device {}; the driver shows {}", device, count),
                    count == 0 ? "" : fmt::format("devices are numbered 0 to {}", count - 1));
    }
    CUdevice handle = 0;
    driver.check(driver.device_get(&handle, device), "cuDeviceGet");
    return handle;
}

CUcontext primary_context(const Driver& driver, int device) {
    const auto handle = device_handle(driver, device);
    auto& contexts = primary_contexts();
    const std::lock_guard lock(contexts.mutex);
    if (const auto found = contexts.retained.find(handle); found != contexts.retained.end())
        return found->second;
    CUcontext context = nullptr;
    driver.check(driver.device_primary_ctx_retain(&context, handle), "cuDevicePrimaryCtxRetain",
                 "the device may be out of memory, or in exclusive mode and used by others");
    contexts.retained.emplace(handle, context);
    return context;
}

CUcontext primary_context_if_active(const Driver& driver, int device) {
    unsigned flags = 0;
    int active = 0;
    driver.check(
        driver.device_primary_ctx_get_state(device_handle(driver, device), &flags, &active),
        "cuDevicePrimaryCtxGetState");
    return active != 0 ? primary_context(driver, device) : nullptr;
}

PushedContext::PushedContext(const Driver& driver, CUcontext context) : driver_(driver) {
    driver_.check(driver_.ctx_push_current(context), "cuCtxPushCurrent");
}

PushedContext::~PushedContext() {
    CUcontext popped = nullptr;
    driver_.ctx_pop_current(&popped);
}

bool current_is_of(const Driver& driver, CUdevice handle) {
    CUdevice of_current = 0;
    driver.check(driver.ctx_get_device(&of_current), "cuCtxGetDevice");
    return of_current == handle;
}

ContextScope::ContextScope(int device) : ContextScope(Driver::get_for_loading(), device) {}

ContextScope::ContextScope(const Driver& driver, int device) : driver_(driver) {
    const auto handle = device_handle(driver, device);
    driver.check(driver.ctx_get_current(&context_), "cuCtxGetCurrent");
    // The primary context is not made where a context of the host's own will do.
    if (context_ != nullptr && current_is_of(driver, handle))
        return;
    context_ = primary_context(driver, device);
    driver.check(driver.ctx_push_current(context_), "cuCtxPushCurrent");
    pushed_ = true;
}

ContextScope::~ContextScope() {
    if (pushed_) {
        CUcontext popped = nullptr;
        driver_.ctx_pop_current(&popped);
    }
}

} // namespace kiln::device
