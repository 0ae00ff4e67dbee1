// SPDX-License-Identifier: Apache-2.0
#include "device/refusal.h"

#include <fmt/format.h>

#include <charconv>

namespace kiln::device {
namespace {

/// 13000 for `13.0.88`; 0 for what is no version.
int version_of(std::string_view text) {
    int major = 0;
    int minor = 0;
    const auto* const end = text.data() + text.size();
    auto [at, error] = std::from_chars(text.data(), end, major);
    if (error != std::errc() || at == end || *at != '.')
        return 0;
    error = std::from_chars(at + 1, end, minor).ec;
    return error == std::errc() ? major * 1000 + minor * 10 : 0;
}

std::string version_text(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

} // namespace

std::string refusal_hint(int driver_version, std::string_view toolkit) {
    const int made_by = version_of(toolkit);
    if (made_by / 1000 > driver_version / 1000) {
        return fmt::format("the driver serves CUDA {}: use a toolkit of CUDA {}, or install a "
                           "driver for CUDA {} or later",
                           version_text(driver_version), driver_version / 1000,
                           version_text(made_by));
    }
    if (made_by > driver_version) {
        return fmt::format("the driver serves CUDA {} and the toolkit is newer: a driver for CUDA "
                           "{} may be needed",
                           version_text(driver_version), version_text(made_by));
    }
    return "the driver is new enough for the toolkit: the device may be out of memory, or the "
           "image damaged";
}

std::string driver_warning(std::string_view driver, std::string_view toolkit) {
    const int serves = version_of(driver);
    const int made_by = version_of(toolkit);
    if (serves == 0 || made_by / 1000 <= serves / 1000)
        return {};
    return fmt::format("the driver serves CUDA {} and cubins of CUDA {} need one for CUDA {} or "
                       "later: use a toolkit of CUDA {}, or a newer driver",
                       version_text(serves), version_text(made_by), version_text(made_by),
                       serves / 1000);
}

std::string misfit_message(const Target& target, int device, const std::string& device_name,
                           ComputeCapability capability) {
    return fmt::format("a cubin for {} does not run on device {} ({}, compute capability {})",
                       target.str(), device, device_name, capability.str());
}

} // namespace kiln::device
