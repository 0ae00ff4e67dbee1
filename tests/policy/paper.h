// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/policy.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

/// Toolkits, modules and policies that are made up, so that decisions can be tested without any.
namespace paper {

inline std::vector<kiln::Target> targets(const std::string& names) {
    std::vector<kiln::Target> result;
    std::istringstream stream(names);
    for (std::string name; stream >> name;) {
        result.push_back(kiln::Target::parse("sm_" + name));
    }
    std::sort(result.begin(), result.end());
    return result;
}

/// A toolkit whose two compilers have the same targets.
inline kiln::policy::ToolkitFacts toolkit(const char* version, const std::string& names) {
    kiln::policy::ToolkitFacts facts;
    facts.version = *kiln::toolkit::Version::parse(version);
    facts.capabilities.nvrtc = targets(names);
    facts.capabilities.nvcc = targets(names);
    return facts;
}

// What the toolkits of these versions report.
inline kiln::policy::ToolkitFacts cuda_12_6() {
    return toolkit("12.6.85", "50 52 53 60 61 62 70 72 75 80 86 87 89 90 90a");
}
inline kiln::policy::ToolkitFacts cuda_12_8() {
    return toolkit("12.8.93", "50 52 53 60 61 62 70 72 75 80 86 87 89 90 90a 100 100a 101 101a 120 "
                              "120a");
}
inline kiln::policy::ToolkitFacts cuda_12_9() {
    return toolkit("12.9.86", "50 52 53 60 61 62 70 72 75 80 86 87 89 90 90a 100 100a 100f 101 "
                              "101a 101f 103 103a 103f 120 120a 120f 121 121a 121f");
}
inline kiln::policy::ToolkitFacts cuda_13_0() {
    return toolkit("13.0.88", "75 80 86 87 88 89 90 90a 100 100a 100f 103 103a 103f 110 110a 110f "
                              "120 120a 120f 121 121a 121f");
}

/// A policy with the built-in layer beneath it; origins show `p.yaml`.
inline kiln::policy::Policy policy(const std::string& text,
                                   kiln::policy::Layer layer = kiln::policy::Layer::user) {
    const kiln::policy::Document document{layer, "p.yaml", text};
    return kiln::policy::Policy::load({&document, 1});
}
inline kiln::policy::Policy built_in() {
    return kiln::policy::Policy::load({});
}

/// A module of a catalog that does not exist.
inline kiln::catalog::Module module(const std::string& name) {
    kiln::catalog::Module module;
    module.name = name;
    module.origin = {"catalog.yaml", 3, 5};
    return module;
}

/// The plan for the first arch of a comma list, with the others as its set.
inline kiln::policy::Resolution resolve(const kiln::policy::Policy& policy,
                                        const kiln::catalog::Instance& instance,
                                        const std::string& archs,
                                        const kiln::policy::ToolkitFacts& toolkit,
                                        const kiln::policy::Surroundings& surroundings = {}) {
    const auto list = kiln::ArchRequest::parse_list(archs);
    return policy.resolve({instance, list.front(), list, toolkit, surroundings});
}

inline kiln::policy::Resolution resolve(const kiln::policy::Policy& policy,
                                        const kiln::catalog::Module& module,
                                        const std::string& arch,
                                        const kiln::policy::ToolkitFacts& toolkit) {
    const kiln::catalog::Instance instance{&module, {}};
    return resolve(policy, instance, arch, toolkit);
}

inline kiln::Plan plan(const kiln::policy::Policy& policy, const std::string& arch,
                       const kiln::policy::ToolkitFacts& toolkit = cuda_13_0()) {
    return resolve(policy, module("m"), arch, toolkit).plan;
}

inline std::string target(const kiln::Plan& plan) {
    return plan.target ? plan.target->str() : std::string("none");
}

/// The flags with a blank between them.
inline std::string flags(const kiln::Plan& plan) {
    std::string text;
    for (const kiln::Flag& flag : plan.flags) {
        text += (text.empty() ? "" : " ") + flag.value;
    }
    return text;
}

/// The first note whose effect holds `part`, or an empty one.
inline kiln::RuleNote note(const kiln::Plan& plan, const std::string& part) {
    for (const kiln::RuleNote& rule : plan.rules) {
        if (rule.effect.find(part) != std::string::npos) {
            return rule;
        }
    }
    return {};
}

} // namespace paper
