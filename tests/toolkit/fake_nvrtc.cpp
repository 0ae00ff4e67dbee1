// SPDX-License-Identifier: Apache-2.0
// As much of NVRTC 12.0 as its users here call: no --no-cache, targets 75 and 90, and sm_90a.
// FAKE_NVRTC_BROKEN makes every compile fail as one without builtins does.
#include <nvrtc.h>

#include <cstdlib>
#include <cstring>
#include <string>

#pragma GCC visibility push(default)

struct _nvrtcProgram {
    std::string log;
};

extern "C" {

// Enough constants that a text behind them is far from the start of its section.
extern const char fake_nvrtc_constants[];
const char fake_nvrtc_constants[(200 << 10) + 29] = {1};
extern const char fake_nvrtc_text[];
const char fake_nvrtc_text[] = "the last text of the library";

nvrtcResult nvrtcVersion(int* major, int* minor) {
    *major = 12;
    *minor = 0;
    return NVRTC_SUCCESS;
}

const char* nvrtcGetErrorString(nvrtcResult result) {
    return result == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE ? "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE"
                                                           : "NVRTC_ERROR";
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
    *count = 2;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int* archs) {
    archs[0] = 75;
    archs[1] = 90;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char*, const char*, int,
                               const char* const*, const char* const*) {
    *program = new _nvrtcProgram;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
    delete *program;
    *program = nullptr;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
    for (int i = 0; i < count; ++i) {
        const std::string option = options[i];
        if (option == "--no-cache") {
            program->log = "nvrtc: error: unrecognized option --no-cache found\n";
            return NVRTC_ERROR_INVALID_OPTION;
        }
        if (option.rfind("-arch=", 0) == 0 && option != "-arch=sm_75" && option != "-arch=sm_90" &&
            option != "-arch=sm_90a")
            return NVRTC_ERROR_INVALID_OPTION;
    }
    if (std::getenv("FAKE_NVRTC_BROKEN") != nullptr) {
        program->log = "nvrtc: error: failed to open libnvrtc-builtins.so.12.0.\n";
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size) {
    *size = program->log.size() + 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
    std::memcpy(log, program->log.c_str(), program->log.size() + 1);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram, size_t* size) {
    *size = 4;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram, char* cubin) {
    std::memcpy(cubin, "ELF?", 4);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram, size_t* size) {
    *size = 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTX(nvrtcProgram, char* ptx) {
    *ptx = '\0';
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram, const char*) {
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram, const char* expression, const char** name) {
    *name = expression;
    return NVRTC_SUCCESS;
}
}

#pragma GCC visibility pop
