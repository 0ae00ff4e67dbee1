// SPDX-License-Identifier: Apache-2.0
#include "toolkit/identity.h"

#include "base/digest.h"
#include "base/text.h"
#include "toolkit/build_id.h"
#include "toolkit/nvcc_parts.h"

#include <kiln/error.h>

#include <fmt/format.h>
#include <unistd.h>

#include <string_view>
#include <system_error>

namespace kiln::toolkit {
namespace {

namespace fs = std::filesystem;

Error missing(const Toolkit& toolkit, std::string_view part, std::string_view compiler) {
    return Error(ErrorCode::toolkit_unfit,
                 fmt::format("The CUDA toolkit {} in {} lacks {}.", toolkit.version.str(),
                             toolkit.root.string(), part),
                 fmt::format("Install the rest of {} {}, or choose another toolkit.", compiler,
                             toolkit.version.short_str()),
                 {{"toolkit", toolkit.root.string()}, {"part", std::string(part)}});
}

std::string content(const fs::path& file, std::string_view part, base::DigestCache& digests) {
    const auto entry = digests.digest(file, true);
    if (!entry)
        throw Error(ErrorCode::toolkit_unfit,
                    fmt::format("{} ({}) cannot be read.", file.string(), part), {},
                    {{"part", std::string(part)}});
    return "sha256:" + entry->digest.hex();
}

std::string library(const fs::path& file, std::string_view part, base::DigestCache& digests) {
    if (const auto id = gnu_build_id(file))
        return "build-id:" + *id;
    return content(file, part, digests);
}

/// The first executable of that name in an absolute directory of PATH that is no compiler cache:
/// what a cache would run is further down.
fs::path compiler_on_path(std::string_view name, const base::Environment& environment) {
    const auto path = environment.get("PATH").value_or("");
    for (const auto directory : base::split(path, ':')) {
        const fs::path candidate = fs::path(directory) / name;
        std::error_code error;
        if (!candidate.is_absolute() || ::access(candidate.c_str(), X_OK) != 0 ||
            !fs::is_regular_file(candidate, error))
            continue;
        auto resolved = fs::canonical(candidate, error);
        if (!error && resolved.filename() != "ccache")
            return resolved;
    }
    return {};
}

} // namespace

std::string nvrtc_identity(const Toolkit& toolkit, base::DigestCache& digests) {
    if (toolkit.nvrtc.empty())
        throw missing(toolkit, "libnvrtc", "NVRTC");
    if (toolkit.builtins.empty())
        throw missing(toolkit, "libnvrtc-builtins", "NVRTC");
    base::Hasher hasher;
    hasher.field("nvrtc", library(toolkit.nvrtc, "libnvrtc", digests));
    hasher.field("builtins", library(toolkit.builtins, "libnvrtc-builtins", digests));
    return hasher.finish().hex();
}

std::string nvcc_identity(const Toolkit& toolkit, const fs::path& host_compiler,
                          base::DigestCache& digests) {
    base::Hasher hasher;
    for (const auto& part : nvcc_parts(toolkit)) {
        if (part.path.empty())
            throw missing(toolkit, part.name, "NVCC");
        hasher.field(part.name, content(part.path, part.name, digests));
    }
    if (host_compiler.empty())
        throw Error(ErrorCode::toolkit_unfit, "NVCC has no host compiler.",
                    "Install g++, or name a host compiler in the configuration or in NVCC_CCBIN.",
                    {{"part", "host compiler"}});
    hasher.field("host compiler", content(host_compiler, "host compiler", digests));
    return hasher.finish().hex();
}

fs::path find_host_compiler(const base::Environment& environment) {
    const auto chosen = environment.get("NVCC_CCBIN");
    if (!chosen)
        return compiler_on_path("g++", environment);
    if (chosen->find('/') == std::string::npos)
        return compiler_on_path(*chosen, environment);
    // As with nvcc's -ccbin, a directory stands for the compiler in it.
    std::error_code error;
    fs::path compiler = *chosen;
    if (fs::is_directory(compiler, error))
        compiler /= "g++";
    const auto resolved = fs::canonical(compiler, error);
    return error || ::access(resolved.c_str(), X_OK) != 0 ? fs::path{} : resolved;
}

} // namespace kiln::toolkit
