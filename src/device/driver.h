// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <memory>
#include <string>

namespace kiln::device {

/// libcuda.so.1, opened by soname at the first need and never linked; each function by its name and
/// an explicit API version through cuGetProcAddress (cuda.h renames functions with macros; CUDA
/// Driver API, "Driver Entry Point Access"). Opening never calls cuInit; `initialise` does, once.
class Driver {
  public:
    /// The process's driver. Throws Error(driver_missing) that says what was tried; a stub library
    /// (cuInit answers CUDA_ERROR_STUB_LIBRARY) counts as missing.
    static const Driver& get();
    /// The same without throwing: null, and why.
    static const Driver* try_get(std::string& why) noexcept;

    /// cuInit(0); Error(driver_missing) or Error(driver_failed). After a fork in which the parent
    /// had initialised the driver: Error(driver_failed) that says so, instead of a hang.
    void initialise() const;
    /// Throws Error(driver_failed) with the driver's name for the code, `what`, and `hint`.
    void check(CUresult result, const char* what, std::string hint = {}) const;
    int version() const; ///< 13000 for 13.0

    CUresult (*init)(unsigned) = nullptr;
    CUresult (*driver_get_version)(int*) = nullptr;
    CUresult (*get_error_name)(CUresult, const char**) = nullptr;
    CUresult (*get_error_string)(CUresult, const char**) = nullptr;
    CUresult (*device_get_count)(int*) = nullptr;
    CUresult (*device_get)(CUdevice*, int) = nullptr;
    CUresult (*device_get_name)(char*, int, CUdevice) = nullptr;
    CUresult (*device_get_uuid)(CUuuid*, CUdevice) = nullptr;
    CUresult (*device_get_attribute)(int*, CUdevice_attribute, CUdevice) = nullptr;
    CUresult (*device_primary_ctx_retain)(CUcontext*, CUdevice) = nullptr;
    CUresult (*device_primary_ctx_release)(CUdevice) = nullptr;
    CUresult (*ctx_get_current)(CUcontext*) = nullptr;
    CUresult (*ctx_set_current)(CUcontext) = nullptr;
    CUresult (*ctx_push_current)(CUcontext) = nullptr;
    CUresult (*ctx_pop_current)(CUcontext*) = nullptr;
    CUresult (*ctx_get_device)(CUdevice*) = nullptr;
    CUresult (*ctx_synchronize)() = nullptr;
    CUresult (*library_load_data)(CUlibrary*, const void*, CUjit_option*, void**, unsigned,
                                  CUlibraryOption*, void**, unsigned) = nullptr;
    CUresult (*library_unload)(CUlibrary) = nullptr;
    CUresult (*library_get_kernel)(CUkernel*, CUlibrary, const char*) = nullptr;
    CUresult (*kernel_get_function)(CUfunction*, CUkernel) = nullptr;
    CUresult (*kernel_set_attribute)(CUfunction_attribute, int, CUkernel, CUdevice) = nullptr;
    CUresult (*kernel_get_attribute)(int*, CUfunction_attribute, CUkernel, CUdevice) = nullptr;
    /// Null where the driver is older than 12.4.
    CUresult (*kernel_get_param_info)(CUkernel, size_t, size_t*, size_t*) = nullptr;
    CUresult (*launch_kernel_ex)(const CUlaunchConfig*, CUfunction, void**, void**) = nullptr;
    CUresult (*mem_alloc)(CUdeviceptr*, size_t) = nullptr;
    CUresult (*mem_free)(CUdeviceptr) = nullptr;
    CUresult (*memcpy_htod)(CUdeviceptr, const void*, size_t) = nullptr;
    CUresult (*memcpy_dtoh)(void*, CUdeviceptr, size_t) = nullptr;

  private:
    Driver() = default;
};

} // namespace kiln::device
