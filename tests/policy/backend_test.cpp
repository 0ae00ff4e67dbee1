// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "policy/paper.h"

#include <doctest/doctest.h>

using kiln::Backend;
using kiln::Verdict;

TEST_CASE("the first backend that has the target is taken, and one passed over is named") {
    auto facts = paper::cuda_13_0();
    facts.capabilities.nvrtc = paper::targets("75 80 90");
    const auto plan = paper::plan(paper::built_in(), "12.0", facts);
    CHECK(plan.backend == Backend::nvcc);
    CHECK(paper::target(plan) == "sm_120f");
    const auto note = paper::note(plan, "backend nvrtc");
    CHECK_FALSE(note.applied);
    CHECK(contains(note.reason, "has no sm_120"));
}

TEST_CASE("a target of its own beats a lower one of a preferred backend") {
    auto facts = paper::cuda_13_0();
    facts.capabilities.nvrtc = paper::targets("80");
    const auto plan = paper::plan(paper::built_in(), "8.6", facts);
    CHECK(plan.backend == Backend::nvcc);
    CHECK(paper::target(plan) == "sm_86");
    CHECK(paper::note(plan, "backend nvrtc").reason == "it would give sm_80");
}

TEST_CASE("a backend that is not there, or cannot be used, says why") {
    auto facts = paper::cuda_13_0();
    facts.capabilities.nvrtc.clear();
    facts.capabilities.nvrtc_error = "libnvrtc-builtins.so.13.0 is missing";
    const auto nvcc = paper::plan(paper::built_in(), "9.0", facts);
    CHECK(nvcc.backend == Backend::nvcc);
    CHECK(contains(paper::note(nvcc, "backend nvrtc").reason, "builtins.so.13.0 is missing"));
    facts.capabilities.nvcc.clear();
    const auto none = paper::plan(paper::built_in(), "9.0", facts);
    CHECK(none.verdict == Verdict::unsupported);
    CHECK(contains(none.reason, "builtins.so.13.0 is missing"));
    CHECK(contains(none.reason, "has no NVCC"));
}

TEST_CASE("the order comes from the policy") {
    const auto policy =
        paper::policy("policy: 1\nrules:\n"
                      "  - match: {capability: \">=10.0\"}\n    set: {backends: [nvcc, nvrtc]}\n");
    CHECK(paper::plan(policy, "12.0").backend == Backend::nvcc);
    CHECK(paper::plan(policy, "12.0").backend_origin == "p.yaml:3");
    CHECK(paper::plan(policy, "9.0").backend == Backend::nvrtc);
}

TEST_CASE("an option that one backend cannot take leaves the other") {
    const std::string set = "policy: 1\nrules:\n  - set: {options: [--extended-lambda]";
    const auto plan = paper::plan(paper::policy(set + "}\n"), "9.0");
    CHECK(plan.backend == Backend::nvcc);
    CHECK(paper::flags(plan) == "-std=c++17 --extended-lambda");
    CHECK(contains(paper::note(plan, "backend nvrtc").reason, "NVRTC cannot take"));
    CHECK(contains(paper::note(plan, "backend nvrtc").reason, "p.yaml:3"));
    const auto only = paper::plan(paper::policy(set + ", backends: [nvrtc]}\n"), "9.0");
    CHECK(only.verdict == Verdict::unsupported);
    CHECK(contains(only.reason, "`--extended-lambda` (p.yaml:3)"));
    CHECK_FALSE(only.target.has_value());
}

TEST_CASE("rules for a backend hold for the one that is taken") {
    const auto policy = paper::policy("policy: 1\nrules:\n"
                                      "  - match: {backend: nvrtc}\n"
                                      "    set: {options: [-default-device], targets: [plain]}\n"
                                      "  - match: {backend: nvcc}\n"
                                      "    set: {options: [--expt-relaxed-constexpr]}\n");
    const auto nvrtc = paper::plan(policy, "9.0");
    CHECK(paper::flags(nvrtc) == "-std=c++17 -default-device");
    CHECK(paper::target(nvrtc) == "sm_90");
    auto facts = paper::cuda_13_0();
    facts.capabilities.nvrtc.clear();
    const auto nvcc = paper::plan(policy, "9.0", facts);
    CHECK(paper::flags(nvcc) == "-std=c++17 --expt-relaxed-constexpr");
    CHECK(paper::target(nvcc) == "sm_90a");
}
