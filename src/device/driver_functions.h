// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The driver functions that Kiln calls: F(member, name, version, need). `version` is the CUDA
/// version whose signature `PFN_<name>_v<version>` of cudaTypedefs.h has; the same number is asked
/// of cuGetProcAddress, so that signature and function cannot part. `need` says who needs it:
/// `query` lists devices, `load` loads and launches (CUDA 12.0), `optional` may be absent.
/// A name must stay an operand of # or ##: cuda.h defines many of them as macros.
#define KILN_DRIVER_FUNCTIONS(F)                                                                   \
    F(init, cuInit, 2000, query)                                                                   \
    F(driver_get_version, cuDriverGetVersion, 2020, query)                                         \
    F(get_error_name, cuGetErrorName, 6000, query)                                                 \
    F(get_error_string, cuGetErrorString, 6000, query)                                             \
    F(device_get_count, cuDeviceGetCount, 2000, query)                                             \
    F(device_get, cuDeviceGet, 2000, query)                                                        \
    F(device_get_name, cuDeviceGetName, 2000, query)                                               \
    F(device_get_attribute, cuDeviceGetAttribute, 2000, query)                                     \
    F(device_total_mem, cuDeviceTotalMem, 3020, query)                                             \
    F(device_get_uuid, cuDeviceGetUuid, 11040, optional)                                           \
    F(device_get_board_uuid, cuDeviceGetUuid, 9020, optional)                                      \
    F(device_primary_ctx_retain, cuDevicePrimaryCtxRetain, 7000, load)                             \
    F(device_primary_ctx_get_state, cuDevicePrimaryCtxGetState, 7000, load)                        \
    F(ctx_get_current, cuCtxGetCurrent, 4000, load)                                                \
    F(ctx_push_current, cuCtxPushCurrent, 4000, load)                                              \
    F(ctx_pop_current, cuCtxPopCurrent, 4000, load)                                                \
    F(ctx_get_device, cuCtxGetDevice, 2000, load)                                                  \
    F(ctx_synchronize, cuCtxSynchronize, 2000, load)                                               \
    F(library_load_data, cuLibraryLoadData, 12000, load)                                           \
    F(library_unload, cuLibraryUnload, 12000, load)                                                \
    F(library_get_kernel, cuLibraryGetKernel, 12000, load)                                         \
    F(kernel_get_function, cuKernelGetFunction, 12000, load)                                       \
    F(kernel_set_attribute, cuKernelSetAttribute, 12000, load)                                     \
    F(kernel_get_attribute, cuKernelGetAttribute, 12000, load)                                     \
    F(kernel_get_param_info, cuKernelGetParamInfo, 12040, optional)                                \
    F(launch_kernel_ex, cuLaunchKernelEx, 11060, load)                                             \
    F(mem_alloc, cuMemAlloc, 3020, load)                                                           \
    F(mem_free, cuMemFree, 3020, load)                                                             \
    F(memcpy_htod, cuMemcpyHtoD, 3020, load)                                                       \
    F(memcpy_dtoh, cuMemcpyDtoH, 3020, load)
