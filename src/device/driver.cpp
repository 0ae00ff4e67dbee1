// SPDX-License-Identifier: Apache-2.0
#include "device/driver.h"

#include <kiln/error.h>

#include <dlfcn.h>
#include <fmt/format.h>
#include <pthread.h>

#include <cstdlib>

namespace kiln::device {
namespace {

constexpr const char* soname = "libcuda.so.1";
constexpr const char* newer_driver = "install a driver that serves CUDA 12.0 or later";

Error stub_error(const std::string& path) {
    return Error(ErrorCode::driver_missing,
                 fmt::format("{} is the toolkit's stub library, not a driver", path),
                 "keep the toolkit's lib64/stubs out of LD_LIBRARY_PATH, and install the driver");
}

Error fork_error() {
    return Error(ErrorCode::driver_failed,
                 "this process was forked after the CUDA driver had been initialised, and the "
                 "driver cannot be used in such a child",
                 "fork before the first use of a device, or start the child with exec or spawn");
}

Error no_device_error(const std::string& cause) {
    // Whether it is set, never what it says: that is the driver's to understand.
    const bool filtered = std::getenv("CUDA_VISIBLE_DEVICES") != nullptr;
    return Error(ErrorCode::device_missing,
                 fmt::format("the driver shows no device ({}){}", cause,
                             filtered ? "; CUDA_VISIBLE_DEVICES is set and may hide them" : ""),
                 filtered ? "unset CUDA_VISIBLE_DEVICES, or name a device that is there"
                          : "check that `nvidia-smi` lists a device here, also inside a container");
}

} // namespace

std::atomic<bool> Driver::in_use_{false};
std::atomic<bool> Driver::forked_child_{false};

Driver::Driver() {
    open();
    try {
        resolve();
    } catch (...) {
        ::dlclose(library_);
        throw;
    }
}

const Driver& Driver::get() {
    // Leaked: threads may still launch while static objects are destroyed.
    static const Driver* const driver = new Driver;
    return *driver;
}

const Driver& Driver::get_for_loading() {
    const auto& driver = get();
    if (!driver.missing_.empty()) {
        throw Error(
            ErrorCode::driver_failed,
            fmt::format("the driver (CUDA {}) has no {}", driver.version_text(), driver.missing_),
            newer_driver);
    }
    return driver;
}

void Driver::open() {
    library_ = ::dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
        const char* cause = ::dlerror();
        throw Error(ErrorCode::driver_missing,
                    fmt::format("the CUDA driver was not found: tried {} ({})", soname,
                                cause != nullptr ? cause : "no reason given"),
                    "install the NVIDIA driver; in a container, start it with the GPU passed in. "
                    "Compiling for a named target needs no driver");
    }
}

CUresult Driver::look_up(const char* name, int version, void** function) const noexcept {
    if (get_proc_address_ == nullptr) {
        return get_proc_address_before_12_(name, function, version, CU_GET_PROC_ADDRESS_DEFAULT);
    }
    CUdriverProcAddressQueryResult found{};
    return get_proc_address_(name, function, version, CU_GET_PROC_ADDRESS_DEFAULT, &found);
}

void* Driver::find(const char* name, int version) const noexcept {
    void* function = nullptr;
    return look_up(name, version, &function) == CUDA_SUCCESS ? function : nullptr;
}

void Driver::resolve() {
    get_proc_address_ =
        reinterpret_cast<PFN_cuGetProcAddress_v12000>(::dlsym(library_, "cuGetProcAddress_v2"));
    if (get_proc_address_ == nullptr) {
        get_proc_address_before_12_ =
            reinterpret_cast<PFN_cuGetProcAddress_v11030>(::dlsym(library_, "cuGetProcAddress"));
    }
    if (get_proc_address_ == nullptr && get_proc_address_before_12_ == nullptr) {
        throw Error(ErrorCode::driver_failed,
                    fmt::format("{} has no cuGetProcAddress: it is older than CUDA 11.3", path()),
                    newer_driver);
    }
    // The stub answers every call with this code.
    void* probe = nullptr;
    if (look_up("cuInit", 2000, &probe) == CUDA_ERROR_STUB_LIBRARY)
        throw stub_error(path());

    const auto note = [](std::string& list, bool present, const char* name) {
        if (!present)
            list += list.empty() ? name : fmt::format(", {}", name);
    };
    std::string missing_query;
    std::string missing_optional;
    std::string& missing_load = missing_;
#define KILN_RESOLVE(member, name, version, need)                                                  \
    (member) = reinterpret_cast<PFN_##name##_v##version>(find(#name, version));                    \
    note(missing_##need, (member) != nullptr, #name);
    KILN_DRIVER_FUNCTIONS(KILN_RESOLVE)
#undef KILN_RESOLVE
    if (!missing_query.empty()) {
        throw Error(ErrorCode::driver_failed, fmt::format("{} has no {}", path(), missing_query),
                    newer_driver);
    }
    if (driver_get_version(&version_) != CUDA_SUCCESS)
        version_ = 0;
}

void Driver::initialise() const {
    // Before the lock: in a child, another thread of the parent may hold it for ever.
    refuse_forked_child();
    if (ready_.load(std::memory_order_acquire))
        return;
    const std::lock_guard lock(init_mutex_);
    if (ready_.load(std::memory_order_relaxed))
        return;
    static const int watched = ::pthread_atfork(nullptr, nullptr, &Driver::note_fork);
    if (watched != 0)
        throw Error(ErrorCode::internal, "no memory for a fork handler");
    in_use_.store(true);
    const auto result = init(0);
    if (result == CUDA_SUCCESS) {
        ready_.store(true, std::memory_order_release);
        return;
    }
    in_use_.store(false);
    if (result == CUDA_ERROR_STUB_LIBRARY)
        throw stub_error(path());
    if (result == CUDA_ERROR_NO_DEVICE || result == CUDA_ERROR_INVALID_DEVICE)
        throw no_device_error(describe(result));
    // What cuInit answers in a child of a process in which somebody else had called it.
    if (result == CUDA_ERROR_NOT_INITIALIZED)
        throw fork_error();
    fail(result, "cuInit",
         result == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
             ? "the kernel module and libcuda.so.1 are of different versions: reboot, or reload it"
             : "run `nvidia-smi`: it asks the same driver");
}

void Driver::note_fork() noexcept {
    // A fork before the first use leaves both sides free to use it.
    if (in_use_.load())
        forked_child_.store(true);
}

void Driver::throw_forked_child() {
    throw fork_error();
}

std::string Driver::describe(CUresult result) const {
    const char* name = nullptr;
    const char* text = nullptr;
    if (get_error_name(result, &name) != CUDA_SUCCESS || name == nullptr)
        return fmt::format("CUDA error {}", static_cast<int>(result));
    if (get_error_string(result, &text) != CUDA_SUCCESS || text == nullptr)
        return name;
    return fmt::format("{} ({})", name, text);
}

void Driver::fail(CUresult result, const std::string& what, std::string hint) const {
    refuse_forked_child();
    throw Error(ErrorCode::driver_failed, fmt::format("{} failed: {}", what, describe(result)),
                std::move(hint), {{"driver", version_text()}});
}

std::string Driver::version_text() const {
    return version_ == 0 ? std::string()
                         : fmt::format("{}.{}", version_ / 1000, version_ % 1000 / 10);
}

std::string Driver::path() const {
    // The address of any function tells which file it is from.
    void* const function = ::dlsym(library_, "cuInit");
    Dl_info info{};
    if (function != nullptr && ::dladdr(function, &info) != 0 && info.dli_fname != nullptr)
        return info.dli_fname;
    return soname;
}

} // namespace kiln::device
