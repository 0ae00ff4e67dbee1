// SPDX-License-Identifier: Apache-2.0
#include "toolkit/nvrtc_library.h"

#include "base/log.h"
#include "toolkit/installed_version.h"

#include <kiln/error.h>

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <string_view>

namespace kiln::toolkit {
namespace {

namespace fs = std::filesystem;

Error unfit(const fs::path& file, std::string message) {
    return Error(ErrorCode::toolkit_unfit, std::move(message),
                 "Install libnvrtc and libnvrtc-builtins of one CUDA release side by side, or "
                 "choose another toolkit.",
                 {{"library", file.string()}});
}

void* load(const fs::path& file, std::string_view what) {
    if (file.empty())
        throw unfit(file, fmt::format("The toolkit has no {}.", what));
    if (!file.is_absolute())
        throw unfit(file, fmt::format("{} is not an absolute path.", file.string()));
    // Deep state (threads, allocations of its own) makes unloading unsafe, whoever asks for it.
    void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == nullptr) {
        const char* reason = ::dlerror();
        throw unfit(file, fmt::format("{} cannot be loaded: {}.", file.string(),
                                      reason != nullptr ? reason : "unknown reason"));
    }
    return handle;
}

template <class Function>
void resolve(void* handle, const fs::path& file, const char* name, Function& function) {
    void* symbol = ::dlsym(handle, name);
    if (symbol == nullptr)
        throw unfit(file, fmt::format("{} has no {}: NVRTC of CUDA 11.2 or newer is needed.",
                                      file.string(), name));
    function = reinterpret_cast<Function>(symbol);
}

std::string version_of(decltype(&::nvrtcVersion) ask) {
    int major = 0;
    int minor = 0;
    if (ask == nullptr || ask(&major, &minor) != NVRTC_SUCCESS)
        return {};
    return fmt::format("{}.{}", major, minor);
}

void warn_of_others(const fs::path& chosen) {
    for (const auto& other : loaded_nvrtc()) {
        std::error_code error;
        if (fs::equivalent(other.path, chosen, error))
            continue;
        base::warn_once("nvrtc:" + other.path.string(),
                        fmt::format("another NVRTC is loaded in this process: {} (CUDA {}); Kiln "
                                    "uses {}",
                                    other.path.string(),
                                    other.version.empty() ? "unknown" : other.version,
                                    chosen.string()));
    }
}

void check_builtins(const NvrtcLibrary& library, const fs::path& builtins) {
    const auto said = Version::parse(version_of(library.version));
    const auto beside = version_in_name(builtins);
    if (!said)
        throw unfit(library.path,
                    fmt::format("{} does not say its version.", library.path.string()));
    if (beside && (beside->major != said->major || beside->minor != said->minor))
        throw unfit(builtins, fmt::format("{} is of CUDA {}, but its builtins, {}, are of CUDA {}.",
                                          library.path.string(), said->short_str(),
                                          builtins.string(), beside->short_str()));
}

} // namespace

std::vector<LoadedNvrtc> loaded_nvrtc() {
    std::vector<LoadedNvrtc> loaded;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* list) {
            const fs::path path = info->dlpi_name;
            if (path.filename().string().starts_with("libnvrtc.so"))
                static_cast<std::vector<LoadedNvrtc>*>(list)->push_back({path, {}});
            return 0;
        },
        &loaded);
    for (auto& library : loaded) {
        void* handle = ::dlopen(library.path.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
        if (handle == nullptr)
            continue;
        library.version = version_of(
            reinterpret_cast<decltype(&::nvrtcVersion)>(::dlsym(handle, "nvrtcVersion")));
        ::dlclose(handle);
    }
    return loaded;
}

std::shared_ptr<const NvrtcLibrary> NvrtcLibrary::open(const fs::path& nvrtc,
                                                       const fs::path& builtins) {
    warn_of_others(nvrtc);
    load(builtins, "libnvrtc-builtins");
    void* handle = load(nvrtc, "libnvrtc");

    auto library = std::make_shared<NvrtcLibrary>();
    library->path = nvrtc;
    link_map* map = nullptr;
    if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr)
        library->path = map->l_name;
    const auto get = [&](const char* name, auto& function) {
        resolve(handle, nvrtc, name, function);
    };
    get("nvrtcVersion", library->version);
    get("nvrtcGetNumSupportedArchs", library->get_num_supported_archs);
    get("nvrtcGetSupportedArchs", library->get_supported_archs);
    get("nvrtcCreateProgram", library->create_program);
    get("nvrtcDestroyProgram", library->destroy_program);
    get("nvrtcCompileProgram", library->compile_program);
    get("nvrtcGetCUBINSize", library->get_cubin_size);
    get("nvrtcGetCUBIN", library->get_cubin);
    get("nvrtcGetPTXSize", library->get_ptx_size);
    get("nvrtcGetPTX", library->get_ptx);
    get("nvrtcGetProgramLogSize", library->get_program_log_size);
    get("nvrtcGetProgramLog", library->get_program_log);
    get("nvrtcAddNameExpression", library->add_name_expression);
    get("nvrtcGetLoweredName", library->get_lowered_name);
    get("nvrtcGetErrorString", library->get_error_string);
    check_builtins(*library, builtins);
    return library;
}

} // namespace kiln::toolkit
