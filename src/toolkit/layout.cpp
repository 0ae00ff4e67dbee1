// SPDX-License-Identifier: Apache-2.0
#include "toolkit/layout.h"

#include "toolkit/installed_version.h"
#include "toolkit/version_check.h"

#include <unistd.h>

#include <initializer_list>
#include <system_error>
#include <utility>

namespace kiln::toolkit {
namespace {

namespace fs = std::filesystem;

#if defined(__aarch64__)
constexpr std::initializer_list<const char*> platforms = {"targets/sbsa-linux",
                                                          "targets/aarch64-linux"};
constexpr const char* multiarch = "lib/aarch64-linux-gnu";
#else
constexpr std::initializer_list<const char*> platforms = {"targets/x86_64-linux"};
constexpr const char* multiarch = "lib/x86_64-linux-gnu";
#endif

bool is_there(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error);
}

/// The file behind a path that can be executed; empty if there is none.
fs::path executable(const fs::path& path) {
    std::error_code error;
    auto resolved = fs::canonical(path, error);
    if (error || !fs::is_regular_file(resolved, error) || ::access(resolved.c_str(), X_OK) != 0)
        return {};
    return resolved;
}

fs::path find_nvcc(const fs::path& root) {
    // Debian's /usr/bin/nvcc is a script around this one.
    auto nvcc = executable(root / "lib/nvidia-cuda-toolkit/bin/nvcc");
    return nvcc.empty() ? executable(root / "bin/nvcc") : nvcc;
}

std::vector<fs::path> library_directories(const fs::path& root) {
    std::vector<fs::path> directories{root / "lib64", root / "lib"};
    for (const char* platform : platforms)
        directories.push_back(root / platform / "lib");
    directories.push_back(root / multiarch);
    return directories;
}

/// `include` with CCCL before it where that has a directory of its own (from CUDA 13 on).
void add_includes(std::vector<fs::path>& directories, const fs::path& include) {
    std::error_code error;
    if (fs::is_directory(include / "cccl", error))
        directories.push_back(include / "cccl");
    directories.push_back(include);
}

std::vector<fs::path> include_directories(const fs::path& root) {
    std::vector<fs::path> candidates{root / "include"};
    for (const char* platform : platforms)
        candidates.push_back(root / platform / "include");
    std::vector<fs::path> directories;
    for (const auto& candidate : candidates) {
        if (!is_there(candidate / "cuda_runtime_api.h") && !is_there(candidate / "cuda_fp16.h"))
            continue;
        std::error_code error;
        const auto resolved = fs::canonical(candidate, error);
        add_includes(directories, error ? candidate : resolved);
        break;
    }
    return directories;
}

std::optional<Version> header_version(const Toolkit& toolkit) {
    const auto headers = find_header_version(toolkit.include_directories);
    return headers ? std::optional(headers->version) : std::nullopt;
}

/// Tries sources in order, from the cheapest that is reliable, until one says a version.
template <class... Sources>
std::optional<Version> first_of(const Sources&... sources) {
    std::optional<Version> version;
    (void)((version = sources()).has_value() || ...);
    return version;
}

/// The major in `cu13`, the name of a directory of wheels; else 0.
int wheel_major(const fs::path& root) {
    const auto name = root.filename().string();
    const auto version = name.starts_with("cu") ? Version::parse(name.substr(2)) : std::nullopt;
    return version ? version->major : 0;
}

std::optional<Version> package_version(const fs::path& root, std::string_view component) {
    return first_of([&] { return version_in_manifest(root, "cuda_" + std::string(component)); },
                    [&]() -> std::optional<Version> {
                        const int major = wheel_major(root);
                        if (major == 0 || root.parent_path().filename() != "nvidia")
                            return std::nullopt;
                        return version_in_wheels(root.parent_path().parent_path(), component,
                                                 major);
                    },
                    [&] { return version_in_conda(root, component); });
}

std::string with_parts(const Toolkit& toolkit) {
    std::string text = "CUDA " + toolkit.version.str();
    if (toolkit.nvrtc.empty())
        text += ", without NVRTC";
    if (toolkit.nvcc.empty())
        text += ", without nvcc";
    return text;
}

/// Fills NVRTC and the version. `nvcc_version`: what is known of nvcc, or nothing.
Look finish(Toolkit toolkit, const std::vector<fs::path>& libraries,
            const std::optional<Version>& nvcc_version,
            const std::optional<Version>& nvrtc_package) {
    const auto headers = header_version(toolkit);
    const auto wanted = nvcc_version ? nvcc_version : headers;
    auto pair = find_nvrtc(libraries, wanted);
    toolkit.nvrtc = std::move(pair.nvrtc);
    toolkit.builtins = std::move(pair.builtins);
    if (toolkit.nvrtc.empty() && toolkit.nvcc.empty())
        return {std::nullopt, "has neither bin/nvcc nor libnvrtc.so", {}};

    const auto version = first_of(
        [&] { return nvcc_version; },
        [&] { return toolkit.nvcc.empty() ? nvrtc_package : std::nullopt; },
        [&] { return toolkit.nvcc.empty() ? version_in_name(toolkit.builtins) : std::nullopt; },
        [&] { return headers; }, [&] { return version_in_name(toolkit.builtins); });
    if (!version)
        return {std::nullopt, "says its version nowhere", toolkit.nvcc};
    toolkit.version = *version;
    auto outcome = with_parts(toolkit);
    return {std::move(toolkit), std::move(outcome), {}};
}

} // namespace

Look look_at_root(const fs::path& root, std::string_view found_by,
                  const std::optional<Version>& nvcc_says) {
    Toolkit toolkit;
    toolkit.root = root;
    toolkit.found_by = found_by;
    toolkit.nvcc = find_nvcc(root);
    std::optional<Version> nvcc_version = nvcc_says;
    if (!toolkit.nvcc.empty() && !nvcc_says) {
        // nvcc reads this file beside itself, so one without it is a wrapper; all else may lie in
        // a prefix that is shared with much.
        if (!is_there(toolkit.nvcc.parent_path() / "nvcc.profile"))
            return {std::nullopt, "has an nvcc with no toolkit around it", root / "bin/nvcc"};
        nvcc_version = first_of([&] { return package_version(root, "nvcc"); },
                                [&] { return version_in_nvcc(toolkit.nvcc); });
    }
    toolkit.include_directories = include_directories(root);
    const auto nvrtc_package = toolkit.nvcc.empty() ? package_version(root, "nvrtc") : std::nullopt;
    return finish(std::move(toolkit), library_directories(root), nvcc_version, nvrtc_package);
}

Look look_at_component_wheels(const fs::path& nvidia, std::string_view found_by) {
    Toolkit toolkit;
    toolkit.root = nvidia;
    toolkit.found_by = found_by;
    toolkit.nvcc = executable(nvidia / "cuda_nvcc/bin/nvcc");
    for (const char* component : {"cuda_cccl", "cuda_runtime", "cuda_nvcc"}) {
        const auto include = nvidia / component / "include";
        if (is_there(include))
            add_includes(toolkit.include_directories, include);
    }
    const auto site_packages = nvidia.parent_path();
    std::optional<Version> nvcc_version;
    if (!toolkit.nvcc.empty())
        nvcc_version = version_in_wheels(site_packages, "nvcc", 0);
    return finish(std::move(toolkit), {nvidia / "cuda_nvrtc/lib"}, nvcc_version,
                  version_in_wheels(site_packages, "nvrtc", 0));
}

} // namespace kiln::toolkit
