// SPDX-License-Identifier: Apache-2.0
#include "toolkit/discovery.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace kiln::toolkit {
namespace {

std::string found(const Discovery& discovery) {
    std::string text;
    for (const auto& toolkit : discovery.toolkits)
        text += fmt::format("{}CUDA {} in {} ({})", text.empty() ? "" : ", ", toolkit.version.str(),
                            toolkit.root.string(), toolkit.found_by);
    return text;
}

Error missing(const Discovery& discovery, std::string message, std::string_view advice) {
    const auto there = found(discovery);
    std::string tried;
    for (const auto& place : discovery.tried)
        tried += fmt::format("{}{}", tried.empty() ? "" : "\n", place.str());
    auto hint = there.empty() ? std::string(advice) : fmt::format("Found: {}.", there);
    return Error(ErrorCode::toolkit_missing, std::move(message), std::move(hint),
                 {{"tried", std::move(tried)}});
}

bool satisfies(const Version& version, const Version& wanted, std::ptrdiff_t parts) {
    return version.major == wanted.major && (parts < 2 || version.minor == wanted.minor) &&
           (parts < 3 || version.patch == wanted.patch);
}

} // namespace

const Toolkit& choose(const Discovery& discovery, const DiscoveryOptions& options) {
    constexpr std::string_view advice =
        "Install a CUDA toolkit (NVRTC and its headers are enough), or name one with --toolkit or "
        "CUDA_HOME.";
    const auto& toolkits = discovery.toolkits;
    const auto& wanted = options.wanted;
    if (wanted.empty()) {
        if (toolkits.empty())
            throw missing(discovery, "No CUDA toolkit was found.", advice);
        return toolkits.front();
    }
    if (wanted.find('/') != std::string::npos) {
        const auto at = std::find_if(toolkits.begin(), toolkits.end(), [](const Toolkit& toolkit) {
            return toolkit.found_by == "requested";
        });
        if (at != toolkits.end())
            return *at;
        const auto place =
            std::find_if(discovery.tried.begin(), discovery.tried.end(),
                         [](const Tried& tried) { return tried.found_by == "requested"; });
        throw missing(
            discovery,
            fmt::format("{} is no CUDA toolkit: {}.", wanted,
                        place == discovery.tried.end() ? "it was not looked at" : place->outcome),
            advice);
    }
    const auto version = Version::parse(wanted);
    if (!version)
        throw Error(
            ErrorCode::usage,
            fmt::format("`{}` names no toolkit: it is neither a version nor a path.", wanted),
            "Write a version as 13 or 12.8, and a directory with a slash in it.");
    const auto parts = 1 + std::count(wanted.begin(), wanted.end(), '.');
    const auto at = std::find_if(toolkits.begin(), toolkits.end(), [&](const Toolkit& toolkit) {
        return satisfies(toolkit.version, *version, parts);
    });
    if (at == toolkits.end())
        throw missing(discovery, fmt::format("No CUDA {} was found.", wanted), advice);
    return *at;
}

} // namespace kiln::toolkit
