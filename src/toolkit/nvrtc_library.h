// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nvrtc.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace kiln::toolkit {

/// An NVRTC that is in this process, whoever loaded it.
struct LoadedNvrtc {
    std::filesystem::path path;
    std::string version; ///< `13.0`; empty if it does not say
};
/// All of them. The loader's lock is held while its list is walked, so not from a signal handler.
std::vector<LoadedNvrtc> loaded_nvrtc();

/// NVRTC opened at run time by absolute path, its builtins first (NVRTC itself looks for them only
/// by name). Never unloaded: NVRTC keeps state of its own. Thread-safe once built.
/// Another NVRTC that is loaded already is said in the log, once.
class NvrtcLibrary {
  public:
    /// Throws Error(toolkit_unfit) naming the file, the loader's message, and what to install; also
    /// where the builtins are of another release than NVRTC, which would fail every compile.
    static std::shared_ptr<const NvrtcLibrary> open(const std::filesystem::path& nvrtc,
                                                    const std::filesystem::path& builtins);

    decltype(&::nvrtcVersion) version = nullptr;
    decltype(&::nvrtcGetNumSupportedArchs) get_num_supported_archs = nullptr;
    decltype(&::nvrtcGetSupportedArchs) get_supported_archs = nullptr;
    decltype(&::nvrtcCreateProgram) create_program = nullptr;
    decltype(&::nvrtcDestroyProgram) destroy_program = nullptr;
    decltype(&::nvrtcCompileProgram) compile_program = nullptr;
    decltype(&::nvrtcGetCUBINSize) get_cubin_size = nullptr;
    decltype(&::nvrtcGetCUBIN) get_cubin = nullptr;
    decltype(&::nvrtcGetPTXSize) get_ptx_size = nullptr;
    decltype(&::nvrtcGetPTX) get_ptx = nullptr;
    decltype(&::nvrtcGetProgramLogSize) get_program_log_size = nullptr;
    decltype(&::nvrtcGetProgramLog) get_program_log = nullptr;
    decltype(&::nvrtcAddNameExpression) add_name_expression = nullptr;
    decltype(&::nvrtcGetLoweredName) get_lowered_name = nullptr;
    decltype(&::nvrtcGetErrorString) get_error_string = nullptr;

    std::filesystem::path path; ///< the file that the loader took
};

} // namespace kiln::toolkit
