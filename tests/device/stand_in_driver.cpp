// SPDX-License-Identifier: Apache-2.0
// A library that looks like a driver to whoever opens it, and has no device. What it answers comes
// from the environment: STAND_IN_INIT (the code of cuInit, default 0), STAND_IN_VERSION (default
// 13000), STAND_IN_LACKS (functions that it does not have, between commas), STAND_IN_STUB (set:
// every call answers CUDA_ERROR_STUB_LIBRARY), STAND_IN_LOG (a file that gets a line for each
// cuInit).
#include <cudaTypedefs.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

int number(const char* name, int otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr ? std::atoi(value) : otherwise;
}

bool lacks(const std::string& name) {
    const char* list = std::getenv("STAND_IN_LACKS");
    return list != nullptr &&
           ("," + std::string(list) + ",").find("," + name + ",") != std::string::npos;
}

bool is_stub() {
    return std::getenv("STAND_IN_STUB") != nullptr;
}

CUresult init(unsigned) {
    if (const char* log = std::getenv("STAND_IN_LOG"))
        std::ofstream(log, std::ios::app) << "cuInit\n";
    return static_cast<CUresult>(is_stub() ? CUDA_ERROR_STUB_LIBRARY : number("STAND_IN_INIT", 0));
}

CUresult driver_version(int* version) {
    *version = number("STAND_IN_VERSION", 13000);
    return CUDA_SUCCESS;
}

CUresult count(int* devices) {
    *devices = 0;
    return CUDA_SUCCESS;
}

CUresult error_name(CUresult result, const char** name) {
    *name = result == CUDA_ERROR_NO_DEVICE                ? "CUDA_ERROR_NO_DEVICE"
            : result == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH ? "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"
                                                          : "CUDA_ERROR_OF_THE_STAND_IN";
    return CUDA_SUCCESS;
}

CUresult error_string(CUresult, const char** text) {
    *text = "the stand-in says so";
    return CUDA_SUCCESS;
}

/// For every function that no test needs to succeed.
CUresult refuse() {
    return CUDA_ERROR_UNKNOWN;
}

[[maybe_unused]] CUresult find(const char* name, void** function) {
    *function = nullptr;
    if (is_stub())
        return CUDA_ERROR_STUB_LIBRARY;
    const std::string wanted = name;
    if (lacks(wanted))
        return CUDA_ERROR_NOT_FOUND;
    if (wanted == "cuInit")
        *function = reinterpret_cast<void*>(&init);
    else if (wanted == "cuDriverGetVersion")
        *function = reinterpret_cast<void*>(&driver_version);
    else if (wanted == "cuDeviceGetCount")
        *function = reinterpret_cast<void*>(&count);
    else if (wanted == "cuGetErrorName")
        *function = reinterpret_cast<void*>(&error_name);
    else if (wanted == "cuGetErrorString")
        *function = reinterpret_cast<void*>(&error_string);
    else
        *function = reinterpret_cast<void*>(&refuse);
    return CUDA_SUCCESS;
}

} // namespace

#undef cuGetProcAddress

extern "C" {

CUresult cuInit(unsigned flags) {
    return init(flags);
}

#if defined STAND_IN_current
CUresult cuGetProcAddress_v2(const char* name, void** function, int, cuuint64_t,
                             CUdriverProcAddressQueryResult*) {
    return find(name, function);
}
#elif defined STAND_IN_before_12
CUresult cuGetProcAddress(const char* name, void** function, int, cuuint64_t) {
    return find(name, function);
}
#endif
}
