// SPDX-License-Identifier: Apache-2.0
#include <kiln/arch.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

using kiln::ComputeCapability;
using kiln::runs_on;
using kiln::Target;

namespace {

const std::vector<std::string> devices{"5.0",  "5.2",  "5.3",  "6.0",  "6.1",  "6.2", "7.0", "7.2",
                                       "7.5",  "8.0",  "8.6",  "8.7",  "8.8",  "8.9", "9.0", "10.0",
                                       "10.1", "10.3", "11.0", "12.0", "12.1", "13.0"};

using Devices = std::set<std::string>;

/// Which devices run each target, written out.
const std::map<std::string, Devices> table{
    {"sm_50", {"5.0", "5.2"}},
    {"sm_52", {"5.2"}},
    {"sm_53", {"5.3"}},
    {"sm_60", {"6.0", "6.1"}},
    {"sm_61", {"6.1"}},
    {"sm_62", {"6.2"}},
    {"sm_70", {"7.0", "7.5"}},
    {"sm_72", {"7.2"}},
    {"sm_75", {"7.5"}},
    {"sm_80", {"8.0", "8.6", "8.9"}},
    {"sm_86", {"8.6", "8.9"}},
    {"sm_87", {"8.7"}},
    {"sm_88", {"8.8"}},
    {"sm_89", {"8.9"}},
    {"sm_90", {"9.0"}},
    {"sm_90a", {"9.0"}},
    {"sm_100", {"10.0", "10.3"}},
    {"sm_100a", {"10.0"}},
    {"sm_100f", {"10.0", "10.3"}},
    {"sm_101", {"10.1"}},
    {"sm_101a", {"10.1"}},
    {"sm_101f", {"10.1"}},
    {"sm_103", {"10.3"}},
    {"sm_103a", {"10.3"}},
    {"sm_103f", {"10.3"}},
    {"sm_110", {"11.0"}},
    {"sm_110a", {"11.0"}},
    {"sm_110f", {"11.0"}},
    {"sm_120", {"12.0", "12.1"}},
    {"sm_120a", {"12.0"}},
    {"sm_120f", {"12.0", "12.1"}},
    {"sm_121", {"12.1"}},
    {"sm_121a", {"12.1"}},
    {"sm_121f", {"12.1"}},
    // No toolkit knows a 13.0 yet; the rules hold for it.
    {"sm_130", {"13.0"}},
};

Devices running(const Target& target) {
    Devices running;
    for (const auto& device : devices)
        if (runs_on(target, ComputeCapability::parse(device)))
            running.insert(device);
    return running;
}

} // namespace

TEST_CASE("which cubin runs on which device") {
    for (const auto& [text, expected] : table) {
        CAPTURE(text);
        CHECK(running(Target::parse(text)) == expected);
    }
}

TEST_CASE("PTX runs from its capability upwards, and with a suffix where the cubin does") {
    for (const auto& [text, expected] : table) {
        CAPTURE(text);
        const auto target = Target::parse(text).as_virtual();
        if (target.suffix != kiln::Suffix::none) {
            CHECK(running(target) == expected);
            continue;
        }
        for (const auto& device : devices) {
            const auto capability = ComputeCapability::parse(device);
            CHECK(runs_on(target, capability) == (capability >= target.capability));
        }
    }
}

TEST_CASE("no cubin crosses a major version, and each runs where it was built for") {
    for (std::uint16_t major = 5; major <= 13; ++major)
        for (std::uint16_t minor = 0; minor <= 9; ++minor)
            for (const auto suffix : {kiln::Suffix::none, kiln::Suffix::a, kiln::Suffix::f}) {
                const Target target{{major, minor}, suffix, kiln::TargetKind::real};
                CHECK(runs_on(target, target.capability));
                for (const auto& device : devices) {
                    const auto capability = ComputeCapability::parse(device);
                    if (capability.major != major || capability < target.capability)
                        CHECK_FALSE(runs_on(target, capability));
                }
            }
}

TEST_CASE("the Tegra parts") {
    std::set<std::string> tegra;
    for (const auto& device : devices)
        if (kiln::is_tegra(ComputeCapability::parse(device)))
            tegra.insert(device);
    CHECK(tegra == Devices{"5.3", "6.2", "7.2", "8.7", "8.8", "10.1", "11.0"});
}
