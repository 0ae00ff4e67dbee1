// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "policy/paper.h"

#include <doctest/doctest.h>

using kiln::Verdict;

TEST_CASE("the built-in preference, on every toolkit") {
    const auto policy = paper::built_in();
    struct {
        const char* arch;
        const char* cuda_12_8;
        const char* cuda_12_9;
        const char* cuda_13_0;
    } const table[] = {
        {"7.0", "sm_70", "sm_70", "none"}, // removed
        {"7.5", "sm_75", "sm_75", "sm_75"},
        {"8.0", "sm_80", "sm_80", "sm_80"},
        {"8.6", "sm_86", "sm_86", "sm_86"},
        {"8.7", "sm_87", "sm_87", "sm_87"},
        {"8.8", "none", "none", "sm_88"}, // a Tegra part: no other plain cubin runs on it
        {"8.9", "sm_89", "sm_89", "sm_89"},
        {"9.0", "sm_90a", "sm_90a", "sm_90a"},
        {"10.0", "sm_100a", "sm_100f", "sm_100f"},
        {"10.1", "sm_101a", "sm_101f", "none"},   // renamed
        {"10.3", "sm_100", "sm_103f", "sm_103f"}, // sm_100a is locked to 10.0
        {"11.0", "none", "none", "sm_110f"},
        {"12.0", "sm_120a", "sm_120f", "sm_120f"},
        {"12.1", "sm_120", "sm_121f", "sm_121f"},
        {"12.2", "sm_120", "sm_121f", "sm_121f"}, // known to none of them
        {"13.0", "none", "none", "none"},
    };
    for (const auto& row : table) {
        CAPTURE(row.arch);
        CHECK(paper::target(paper::plan(policy, row.arch, paper::cuda_12_8())) == row.cuda_12_8);
        CHECK(paper::target(paper::plan(policy, row.arch, paper::cuda_12_9())) == row.cuda_12_9);
        CHECK(paper::target(paper::plan(policy, row.arch, paper::cuda_13_0())) == row.cuda_13_0);
    }
}

TEST_CASE("what the policy picks runs on what was asked for, and says so") {
    const auto policy = paper::built_in();
    for (const auto& toolkit :
         {paper::cuda_12_6(), paper::cuda_12_8(), paper::cuda_12_9(), paper::cuda_13_0()}) {
        for (int number = 50; number < 140; ++number) {
            const auto capability = kiln::ComputeCapability::from_number(number);
            CAPTURE(capability.str());
            const auto plan = paper::plan(policy, capability.str(), toolkit);
            CHECK(plan.runs_on_device == plan.target.has_value());
            CHECK(plan.verdict == (plan.target ? Verdict::allow : Verdict::unsupported));
            CHECK_FALSE(plan.target_reason.empty());
            CHECK_FALSE(plan.reason.empty());
            if (plan.target) {
                CHECK(kiln::runs_on(*plan.target, capability));
                CHECK(toolkit.capabilities.nvrtc_has(*plan.target));
            }
        }
    }
}

TEST_CASE("a lower target is never taken without a word") {
    const auto plan = paper::plan(paper::built_in(), "12.2");
    CHECK(contains(plan.target_reason, "CUDA 13.0 does not have 12.2"));
    CHECK(contains(plan.target_reason, "sm_121f is the highest that runs on 12.2"));
    const auto fallback = paper::plan(paper::built_in(), "12.0", paper::cuda_12_8());
    CHECK(fallback.target_reason == "`a` of [f, a, plain]: CUDA 12.8 has no sm_120f");
    CHECK(contains(fallback.target_origin, "built-in/policy.yaml:"));
}

TEST_CASE("the cause of a missing target is the first one") {
    const auto policy = paper::built_in();
    const auto reason = [&](const char* arch, const kiln::policy::ToolkitFacts& toolkit) {
        const auto plan = paper::plan(policy, arch, toolkit);
        CHECK(plan.verdict == Verdict::unsupported);
        CHECK(plan.reason == plan.target_reason);
        return plan.reason;
    };
    const auto removed = reason("7.0", paper::cuda_13_0());
    CHECK(contains(removed, "CUDA 13.0 has no sm_70"));
    CHECK(contains(removed, "removed in CUDA 13.0"));
    CHECK(contains(reason("10.1", paper::cuda_13_0()), "sm_110"));
    CHECK(contains(reason("11.0", paper::cuda_12_9()), "sm_101"));
    const auto old = reason("12.0", paper::cuda_12_6());
    CHECK(contains(old, "CUDA 12.6 has no sm_120"));
    CHECK(contains(old, "12.8"));
    CHECK(contains(old, "the newest that it has is 9.0"));
    const auto unknown = reason("13.0", paper::cuda_13_0());
    CHECK(contains(unknown, "CUDA 13.0 has no sm_130"));
    CHECK(contains(unknown, "the newest that it has is 12.1"));
    CHECK(contains(reason("12.0f", paper::cuda_12_8()), "CUDA 12.8 has no sm_120f"));
    CHECK(contains(reason("12.0f", paper::cuda_12_8()), "12.9"));
    CHECK(contains(reason("9.0f", paper::cuda_13_0()), "sm_90f"));
}

TEST_CASE("an arch that is written out is taken as it stands") {
    const auto policy = paper::built_in();
    for (const char* arch : {"sm_90", "9.0a", "sm_120", "sm_120a", "12.0f", "sm_100"}) {
        CAPTURE(arch);
        const auto plan = paper::plan(policy, arch);
        CHECK(plan.target == kiln::ArchRequest::parse(arch).target);
        CHECK(plan.target_origin == "request");
        CHECK(contains(plan.target_reason, "written out"));
        CHECK(paper::note(plan, "set targets").reason == "the arch is written out");
    }
    // An a target of the toolkit before, which the policy would have taken for 10.3: never.
    CHECK(paper::target(paper::plan(policy, "10.3a", paper::cuda_12_8())) == "none");
    CHECK(paper::target(paper::plan(policy, "compute_90")) == "compute_90");
}

TEST_CASE("PTX comes only where the policy says so, and is named") {
    CHECK(paper::target(paper::plan(paper::built_in(), "13.0")) == "none");
    const auto fallback = paper::policy("policy: 1\nrules:\n  - set: {ptx: fallback}\n");
    const auto m = paper::module("m");
    const auto newer = paper::resolve(fallback, m, "13.0", paper::cuda_13_0());
    CHECK(paper::target(newer.plan) == "compute_121");
    CHECK(newer.plan.verdict == Verdict::allow);
    CHECK(newer.with_ptx);
    CHECK(newer.plan.target_origin == "p.yaml:3");
    CHECK(contains(newer.plan.target_reason, "PTX for compute_121"));
    CHECK(contains(newer.plan.target_reason, "`ptx: fallback`"));
    const auto known = paper::resolve(fallback, m, "12.0", paper::cuda_13_0());
    CHECK(paper::target(known.plan) == "sm_120f");
    CHECK_FALSE(known.with_ptx);

    const auto always = paper::policy("policy: 1\nrules:\n  - set: {ptx: always}\n");
    CHECK(paper::resolve(always, m, "12.0", paper::cuda_13_0()).with_ptx);
    CHECK(paper::target(paper::resolve(always, m, "13.0", paper::cuda_13_0()).plan) ==
          "compute_121");
    CHECK(paper::resolve(paper::built_in(), m, "9.0+PTX", paper::cuda_13_0()).with_ptx);
    // Older than everything that the toolkit has: PTX would not run either.
    CHECK(paper::target(paper::plan(always, "7.0")) == "none");
}

TEST_CASE("a preference that the toolkit cannot serve says what there is") {
    const auto policy = paper::policy("policy: 1\nrules:\n  - set: {targets: [f]}\n");
    const auto plan = paper::plan(policy, "12.0", paper::cuda_12_8());
    CHECK(plan.verdict == Verdict::unsupported);
    CHECK(plan.origin == "p.yaml:3");
    CHECK(contains(plan.reason, "the policy takes [f] for 12.0"));
    CHECK(contains(plan.reason, "only sm_120, sm_120a"));
    CHECK(contains(plan.reason, "12.9"));
}

TEST_CASE("a preference may name targets in full, which are taken where they run") {
    const auto policy =
        paper::policy("policy: 1\nrules:\n  - set: {targets: [sm_100f, sm_120f, a]}\n");
    CHECK(paper::target(paper::plan(policy, "10.3")) == "sm_100f");
    CHECK(paper::target(paper::plan(policy, "12.1")) == "sm_120f");
    CHECK(paper::target(paper::plan(policy, "11.0")) == "sm_110a");
    CHECK(paper::target(paper::plan(policy, "9.0")) == "sm_90a");
}

TEST_CASE("a plan says whether its target runs on the capability that was asked for") {
    const auto policy = paper::built_in();
    CHECK(paper::plan(policy, "9.0").runs_on_device);
    CHECK(paper::plan(policy, "12.1").runs_on_device);
    CHECK(paper::plan(policy, "sm_100a").runs_on_device);
}
