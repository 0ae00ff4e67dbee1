// SPDX-License-Identifier: Apache-2.0
#include "policy/paper.h"

#include <doctest/doctest.h>

namespace {

/// Whether a rule with these conditions holds for a module `fp4_convert`, tagged `fp4` and `small`.
bool holds(const std::string& conditions, const std::string& arch = "12.0",
           const kiln::policy::ToolkitFacts& toolkit = paper::cuda_13_0()) {
    auto module = paper::module("fp4_convert");
    module.tags = {"fp4", "small"};
    const auto policy =
        paper::policy("policy: 1\nrules:\n  - " + conditions + "\n    set: {defines: {HELD: }}\n");
    const auto plan = paper::resolve(policy, module, arch, toolkit).plan;
    return paper::flags(plan).find("-DHELD") != std::string::npos;
}

} // namespace

TEST_CASE("each condition, held and not held") {
    CHECK(holds("match: {}"));
    CHECK(holds("match: {module: fp4_convert}"));
    CHECK(holds("match: {module: [mla, \"fp4_*\"]}"));
    CHECK_FALSE(holds("match: {module: fp4}"));
    CHECK(holds("match: {tag: small}"));
    CHECK(holds("match: {tag: [large, fp4]}"));
    CHECK_FALSE(holds("match: {tag: large}"));
    CHECK(holds("match: {capability: \">=12.0\"}"));
    CHECK_FALSE(holds("match: {capability: \"<12.0\"}"));
    CHECK(holds("match: {capability: [9.0, 12.0]}"));
    CHECK_FALSE(holds("match: {capability: 12.0}", "12.1"));
    CHECK(holds("match: {family: 12.0}", "12.1"));
    CHECK(holds("match: {family: 120f}", "12.1"));
    CHECK(holds("match: {family: [10.0f, 12.0f]}", "10.3"));
    CHECK_FALSE(holds("match: {family: 10.0}", "11.0"));
    CHECK(holds("match: {major: 12}"));
    CHECK(holds("match: {major: [9, 12]}"));
    CHECK_FALSE(holds("match: {major: [9, 10]}"));
    CHECK(holds("match: {toolkit: \">=12.9\"}"));
    CHECK_FALSE(holds("match: {toolkit: \">=12.9\"}", "12.0", paper::cuda_12_8()));
    CHECK(holds("match: {toolkit: 12.8}", "12.0", paper::cuda_12_8()));
    CHECK(holds("match: {backend: nvrtc}"));
    CHECK_FALSE(holds("match: {backend: nvcc}"));
    CHECK(holds("match: {target: [f, a]}"));
    CHECK_FALSE(holds("match: {target: [f, a]}", "sm_120"));
    CHECK(holds("match: {target: sm_120a}", "12.0a"));
}

TEST_CASE("all conditions of a rule must hold") {
    CHECK(holds("match: {module: \"fp4_*\", major: 12, target: f}"));
    CHECK_FALSE(holds("match: {module: \"fp4_*\", major: 12, target: plain}"));
    CHECK_FALSE(holds("match: {module: mla, major: 12}"));
}

TEST_CASE("unless takes away what all its conditions hold for") {
    CHECK_FALSE(holds("unless: {module: fp4_convert}"));
    CHECK(holds("unless: {module: mla}"));
    CHECK(holds("match: {major: 12}\n    unless: {module: fp4_convert, target: plain}"));
    CHECK_FALSE(holds("match: {major: 12}\n    unless: {module: fp4_convert, target: f}"));
    CHECK_FALSE(holds("match: {major: 9}\n    unless: {module: mla}"));
}

TEST_CASE("a rule that asks for the target does not hold where there is none") {
    CHECK_FALSE(holds("match: {target: [f, a, plain]}", "13.0"));
    CHECK_FALSE(holds("unless: {target: f}", "13.0"));
    CHECK(holds("match: {capability: 13.0}", "13.0"));
}
