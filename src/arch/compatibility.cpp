// SPDX-License-Identifier: Apache-2.0
#include <kiln/arch.h>

#include <algorithm>
#include <array>

namespace kiln {

bool is_tegra(ComputeCapability capability) noexcept {
    constexpr std::array<ComputeCapability, 8> parts{
        {{3, 2}, {5, 3}, {6, 2}, {7, 2}, {8, 7}, {8, 8}, {10, 1}, {11, 0}}};
    return std::find(parts.begin(), parts.end(), capability) != parts.end();
}

ComputeCapability ComputeCapability::family() const noexcept {
    return is_tegra(*this) ? *this : ComputeCapability{major, 0};
}

bool runs_on(const Target& target, ComputeCapability device) noexcept {
    const auto& built_for = target.capability;
    if (built_for == device)
        return true;
    if (target.suffix == Suffix::a || device < built_for)
        return false;
    if (target.suffix == Suffix::f)
        return built_for.family() == device.family();
    if (target.kind == TargetKind::virtual_)
        return true;
    return built_for.major == device.major && !is_tegra(built_for) && !is_tegra(device);
}

} // namespace kiln
