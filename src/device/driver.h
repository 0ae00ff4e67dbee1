// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/driver_functions.h"

#include <cudaTypedefs.h>

#include <atomic>
#include <mutex>
#include <string>

namespace kiln::device {

/// libcuda.so.1, opened by soname at the first need and never linked; each function by its name and
/// an explicit API version through cuGetProcAddress (cuda.h renames functions with macros; CUDA
/// Driver API, "Driver Entry Point Access"). Opening never calls cuInit; `initialise` does, once.
/// Thread-safe. Never closed: contexts and kernels outlive every object that could close it.
class Driver {
  public:
    /// The process's driver. Throws Error(driver_missing) where libcuda.so.1 is absent or a stub
    /// (its calls answer CUDA_ERROR_STUB_LIBRARY), and Error(driver_failed) where it is too old to
    /// list devices. A failure is not remembered.
    static const Driver& get();
    /// The same where libraries can be loaded and launched; Error(driver_failed) naming what the
    /// driver lacks.
    static const Driver& get_for_loading();

    /// cuInit(0), once. Throws Error(driver_missing) for a stub, Error(device_missing) where the
    /// driver shows no device, Error(driver_failed) for any other answer. In a child forked after
    /// the driver was initialised, here or by anybody else: Error(driver_failed) that says so.
    void initialise() const;
    /// Whether this process was forked from one that had initialised the driver: no call of the
    /// driver can succeed. Costs a read.
    static bool in_forked_child() noexcept { return forked_child_.load(std::memory_order_relaxed); }
    /// Throws what `initialise` throws in such a child; nothing elsewhere.
    static void refuse_forked_child() {
        if (in_forked_child()) [[unlikely]]
            throw_forked_child();
    }

    /// Throws Error(driver_failed) that says what failed, with the driver's name and text for the
    /// code, unless `result` is CUDA_SUCCESS.
    void check(CUresult result, const char* what, const char* hint = "") const {
        if (result != CUDA_SUCCESS) [[unlikely]]
            fail(result, what, hint);
    }
    [[noreturn]] void fail(CUresult result, const std::string& what, std::string hint = {}) const;
    /// `CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)`
    std::string describe(CUresult result) const;

    /// The newest CUDA version that the driver serves: 13000 for 13.0; 0 if it does not say.
    int version() const noexcept { return version_; }
    /// The same as `13.0`; empty for 0.
    std::string version_text() const;
    /// The file that the dynamic linker found; `libcuda.so.1` if it cannot say.
    std::string path() const;
    /// Any other function of the driver, of the signature of `version`; null if it has none.
    void* find(const char* name, int version) const noexcept;

#define KILN_DECLARE(member, name, version, need) PFN_##name##_v##version member = nullptr;
    KILN_DRIVER_FUNCTIONS(KILN_DECLARE)
#undef KILN_DECLARE

  private:
    Driver();
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;

    void open();
    void resolve();
    CUresult look_up(const char* name, int version, void** function) const noexcept;
    [[noreturn]] static void throw_forked_child();
    static void note_fork() noexcept;

    // Static, since a fork handler is given nothing.
    static std::atomic<bool> in_use_;       ///< cuInit has been called, or is about to be
    static std::atomic<bool> forked_child_; ///< and then this process was forked off

    void* library_ = nullptr;
    PFN_cuGetProcAddress_v12000 get_proc_address_ = nullptr;
    PFN_cuGetProcAddress_v11030 get_proc_address_before_12_ = nullptr;
    int version_ = 0;
    std::string missing_; ///< functions of the need `load` that the driver lacks
    mutable std::mutex init_mutex_;
    mutable std::atomic<bool> ready_{false}; ///< cuInit succeeded
};

} // namespace kiln::device
