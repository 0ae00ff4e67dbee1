// SPDX-License-Identifier: Apache-2.0
#include "toolkit/installed_version.h"

#include "base/file_system.h"
#include "base/text.h"
#include "toolkit/build_id.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <system_error>

namespace kiln::toolkit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view digits_and_dots = "0123456789.";

/// The version that `text` begins with: `13.0.88` in `13.0.88-0.json`.
std::optional<Version> leading_version(std::string_view text) {
    auto number = text.substr(0, text.find_first_not_of(digits_and_dots));
    if (number.ends_with('.'))
        number.remove_suffix(1);
    return Version::parse(number);
}

void keep_newest(std::optional<Version>& best, const std::optional<Version>& other) {
    if (other && (!best || *best < *other))
        best = other;
}

/// `-12.8.93.dist-info` or `_cu12-12.8.93.dist-info` after the package's own name.
std::optional<Version> wheel_version(std::string_view rest) {
    if (rest.starts_with("_cu")) {
        rest.remove_prefix(3);
        rest.remove_prefix(std::min(rest.find_first_not_of("0123456789"), rest.size()));
    }
    if (!rest.starts_with('-') || !rest.ends_with(".dist-info"))
        return std::nullopt;
    rest.remove_prefix(1);
    rest.remove_suffix(std::string_view(".dist-info").size());
    return Version::parse(rest);
}

} // namespace

std::optional<Version> version_in_name(const fs::path& library) {
    const std::string name = library.filename().string();
    constexpr std::string_view mark = ".so.";
    const auto at = name.find(mark);
    if (at == std::string::npos)
        return std::nullopt;
    return Version::parse(std::string_view(name).substr(at + mark.size()));
}

std::optional<Version> version_in_manifest(const fs::path& root, std::string_view component) {
    std::error_code error;
    const auto bytes =
        base::real_file_system().read(root / "version.json", std::uint64_t{1} << 20, error);
    if (error)
        return std::nullopt;
    const auto manifest = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (!manifest.is_object())
        return std::nullopt;
    const auto entry = manifest.find(std::string(component));
    if (entry == manifest.end() || !entry->is_object())
        return std::nullopt;
    const auto version = entry->find("version");
    if (version == entry->end() || !version->is_string())
        return std::nullopt;
    return Version::parse(version->get_ref<const std::string&>());
}

std::optional<Version> version_in_wheels(const fs::path& site_packages, std::string_view component,
                                         int major) {
    const std::string prefix = "nvidia_cuda_" + std::string(component);
    std::optional<Version> best;
    std::error_code error;
    for (const auto& name : base::real_file_system().list(site_packages, error)) {
        if (!name.starts_with(prefix))
            continue;
        const auto version = wheel_version(std::string_view(name).substr(prefix.size()));
        if (version && (major == 0 || version->major == major))
            keep_newest(best, version);
    }
    return best;
}

std::optional<Version> version_in_conda(const fs::path& prefix, std::string_view component) {
    std::optional<Version> best;
    std::error_code error;
    for (const auto& name : base::real_file_system().list(prefix / "conda-meta", error)) {
        std::string_view rest = name;
        const std::string package = "cuda-" + std::string(component);
        if (!rest.starts_with(package) || !rest.ends_with(".json"))
            continue;
        // cuda-nvcc, cuda-nvcc-tools, cuda-nvcc_linux-64: the version is the first part that
        // begins with a digit and has a dot.
        for (const auto part : base::split(rest, '-')) {
            const auto version =
                part.find('.') != std::string_view::npos ? leading_version(part) : std::nullopt;
            if (version) {
                keep_newest(best, version);
                break;
            }
        }
    }
    return best;
}

std::optional<Version> version_in_nvcc(const fs::path& nvcc) {
    const auto text = text_in_section(nvcc, ".rodata", "Cuda compilation tools, release ");
    return text ? version_in_text(*text) : std::nullopt;
}

std::optional<Version> version_in_text(std::string_view text) {
    for (std::size_t at = 0; (at = text.find('V', at)) != std::string_view::npos; ++at) {
        const auto version = leading_version(text.substr(at + 1));
        if (version)
            return version;
    }
    constexpr std::string_view mark = "release ";
    if (const auto at = text.find(mark); at != std::string_view::npos)
        if (const auto version = leading_version(text.substr(at + mark.size())))
            return version;
    for (std::size_t at = 0; at < text.size();) {
        const auto begin = text.find_first_of(digits_and_dots, at);
        if (begin == std::string_view::npos)
            break;
        const auto end = std::min(text.find_first_not_of(digits_and_dots, begin), text.size());
        const auto word = text.substr(begin, end - begin);
        if (word.find('.') != std::string_view::npos)
            if (const auto version = leading_version(word))
                return version;
        at = end;
    }
    return std::nullopt;
}

} // namespace kiln::toolkit
