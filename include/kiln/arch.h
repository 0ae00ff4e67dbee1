// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/export.h>

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// What a device is: `12.0`. A value type; the major has one or two digits and the minor one (CUDA
/// names targets that way).
struct KILN_API ComputeCapability {
    std::uint16_t major = 0;
    std::uint16_t minor = 0;

    /// Accepts exactly `major.minor`; throws Error(unknown_arch) for anything else: `12`, `12.10`,
    /// `9,0`, ` 9.0`.
    static ComputeCapability parse(std::string_view text);
    /// `12.0`
    std::string str() const;
    /// 120 for 12.0, as compiler options and `__CUDA_ARCH__ / 10` have it.
    int number() const noexcept { return major * 10 + minor; }
    /// The reverse; throws Error(unknown_arch) below 10 and above 999.
    static ComputeCapability from_number(int number);
    /// The capability that names this one's family: 12.0 for 12.1, 10.0 for 10.3; a Tegra part is a
    /// family of its own. Cubins for an `f` target run within a family (CUDA Programming Guide,
    /// Compute Capabilities: feature set compiler targets).
    ComputeCapability family() const noexcept;

    auto operator<=>(const ComputeCapability&) const = default;
};

/// `a` is for exactly one capability, `f` for a family from a minor upwards.
enum class Suffix : std::uint8_t { none, a, f };

/// Real targets (`sm_`) become cubins, virtual ones (`compute_`) PTX.
enum class TargetKind : std::uint8_t { real, virtual_ };

/// What a compiler is asked for: `sm_120`, `sm_120a`, `sm_120f`, `compute_90`. Ordered by
/// capability, then none < a < f, then real before virtual.
struct KILN_API Target {
    ComputeCapability capability;
    Suffix suffix = Suffix::none;
    TargetKind kind = TargetKind::real;

    /// Accepts `sm_120`, `sm_120a`, `sm_100f`, `compute_90`, and the short `9.0a`, `12.0`;
    /// throws Error(unknown_arch). Whether any toolkit has the target is not asked (`sm_90f`).
    static Target parse(std::string_view text);
    /// `sm_120a`
    std::string str() const;
    Target as_virtual() const noexcept { return {capability, suffix, TargetKind::virtual_}; }

    auto operator<=>(const Target&) const = default;
};

/// One entry of a list that a person wrote.
/// `12.0` asks for a capability (the policy chooses the target); `12.0a`, `sm_120` and
/// `compute_90` are written out in full and used exactly as they stand. All but `compute_90`, which
/// is PTX already, may end in `+PTX`.
struct KILN_API ArchRequest {
    Target target;            ///< what was written; for a bare capability the plain real target
    bool written_out = false; ///< the text fixed the target: no suffix is added
    bool with_ptx = false;    ///< `+PTX`

    /// One entry; throws Error(unknown_arch).
    static ArchRequest parse(std::string_view text);
    /// A comma list, blanks allowed beside a comma; in the order written, repetitions kept. Every
    /// entry that is not understood is named in the one Error(unknown_arch).
    /// The words `all` and `native` are not for here: they need a toolkit or a driver.
    static std::vector<ArchRequest> parse_list(std::string_view text);
    /// As it would be written: `12.0`, `sm_120a`, `12.0+PTX`.
    std::string str() const;

    auto operator<=>(const ArchRequest&) const = default;
};

/// Whether what was built for `target` runs on `device`.
/// Plain: same major, the device's minor not below, Tegra parts only on themselves; `a`: exactly
/// this capability; `f`: same family, minor not below. A virtual target: PTX, from its capability
/// upwards for plain, and like the real one for `a` and `f`.
/// From the CUDA Programming Guide (binary compatibility; feature set compiler targets). The plain
/// and `f` rules are also those by which nvlink of CUDA 13.0 accepts its inputs (measured for every
/// pair of its 23 targets).
KILN_API bool runs_on(const Target& target, ComputeCapability device) noexcept;

/// Whether the part is an integrated Tegra (3.2, 5.3, 6.2, 7.2, 8.7, 8.8, 10.1, 11.0), whose plain
/// cubins are exchanged with no other part.
KILN_API bool is_tegra(ComputeCapability capability) noexcept;

} // namespace kiln
