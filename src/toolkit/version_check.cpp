// SPDX-License-Identifier: Apache-2.0
#include "toolkit/version_check.h"

#include "base/text.h"
#include "toolkit/installed_version.h"

#include <fmt/format.h>

#include <fstream>
#include <string_view>
#include <system_error>

namespace kiln::toolkit {
namespace {

namespace fs = std::filesystem;

/// Drops `word` and the blanks after it from the front of `text`; false if it is not there.
bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word))
        return false;
    text = base::trim(text.substr(word.size()));
    return true;
}

/// The value of `#define NAME 13000` as 13.0. The macro stands near the top of its file, which has
/// hundreds of kilobytes: reading ends with it.
std::optional<Version> defined_version(const fs::path& header, std::string_view name) {
    std::error_code error;
    if (!fs::is_regular_file(header, error))
        return std::nullopt;
    std::ifstream stream(header);
    for (std::string line; std::getline(stream, line);) {
        std::string_view rest = base::trim(line);
        if (!take(rest, "#") || !take(rest, "define") || !take(rest, name))
            continue;
        const auto number = base::parse_unsigned(rest.substr(0, rest.find_first_of(" \t/")));
        if (number && *number >= 1000 && *number < 1'000'000)
            return Version{static_cast<int>(*number / 1000), static_cast<int>(*number % 1000 / 10),
                           0};
    }
    return std::nullopt;
}

std::optional<HeaderVersion> first_with(std::span<const fs::path> directories, const char* file,
                                        std::string_view macro) {
    for (const auto& directory : directories) {
        fs::path header = directory / file;
        std::error_code error;
        if (!fs::exists(header, error))
            continue;
        // The first on the path is the one that is read, so a later one must not answer for it.
        const auto version = defined_version(header, macro);
        return version ? std::optional(HeaderVersion{std::move(header), *version}) : std::nullopt;
    }
    return std::nullopt;
}

bool same_release(const Version& a, const Version& b) {
    return a.major == b.major && a.minor == b.minor;
}

std::string mismatch(const fs::path& compiler, const Version& version,
                     const HeaderVersion& headers) {
    return fmt::format("{} is of CUDA {}, but the headers found first, {}, are of CUDA {}",
                       compiler.string(), version.short_str(), headers.file.string(),
                       headers.version.short_str());
}

} // namespace

std::optional<HeaderVersion> find_header_version(std::span<const fs::path> directories) {
    if (auto runtime = first_with(directories, "cuda_runtime_api.h", "CUDART_VERSION"))
        return runtime;
    return first_with(directories, "cuda.h", "CUDA_VERSION");
}

std::optional<std::string> header_mismatch(const Toolkit& toolkit,
                                           std::span<const fs::path> directories) {
    const auto headers = find_header_version(directories);
    if (!headers)
        return std::nullopt;
    if (!toolkit.nvrtc.empty()) {
        // The builtins' name is the one place where a release stands on disk for every NVRTC:
        // libnvrtc's own has a major alone since CUDA 12, and 11.2 for all of 11.2 to 11.8.
        const auto version = version_in_name(toolkit.builtins);
        if (version && !same_release(*version, headers->version))
            return mismatch(toolkit.nvrtc, *version, *headers);
    }
    if (!toolkit.nvcc.empty() && !same_release(toolkit.version, headers->version))
        return mismatch(toolkit.nvcc, toolkit.version, *headers);
    return std::nullopt;
}

std::optional<std::string> header_mismatch(const Toolkit& toolkit) {
    return header_mismatch(toolkit, toolkit.include_directories);
}

} // namespace kiln::toolkit
