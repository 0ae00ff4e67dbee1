// SPDX-License-Identifier: Apache-2.0
#include "policy/paper.h"

#include <doctest/doctest.h>

using namespace kiln;

namespace {

Plan plan_with(const std::string& rules, const std::string& archs,
               const policy::ToolkitFacts& toolkit = paper::cuda_13_0()) {
    const auto module = paper::module("m");
    const catalog::Instance instance{&module, {}};
    return paper::resolve(paper::policy("policy: 1\nrules:\n" + rules), instance, archs, toolkit)
        .plan;
}

std::string targets(const Plan& plan) {
    std::string text;
    for (const auto& target : plan.targets)
        text += (text.empty() ? "" : " ") + target.str();
    return text;
}

} // namespace

TEST_CASE("fixed targets are taken whatever the device, and the plan says what runs") {
    const std::string rule = "  - set: {fixed: [sm_100a, sm_103a]}\n";
    const auto elsewhere = plan_with(rule, "12.0");
    CHECK(elsewhere.verdict == Verdict::allow);
    CHECK(paper::target(elsewhere) == "sm_100a");
    CHECK(targets(elsewhere) == "sm_100a sm_103a");
    CHECK_FALSE(elsewhere.runs_on_device);
    const auto there = plan_with(rule, "10.3");
    CHECK(paper::target(there) == "sm_103a"); // the one that runs
    CHECK(there.runs_on_device);
    CHECK(paper::target(plan_with(rule, "sm_103a")) == "sm_103a"); // the one that was written out
    CHECK(paper::target(plan_with(rule, "sm_90")) == "sm_100a");
    CHECK(there.target_reason.find("fixed") != std::string::npos);
    CHECK(there.target_origin == "p.yaml:3");
}

TEST_CASE("only: fixed, and denied by name where the device cannot run it") {
    const std::string rule = "  - {name: hopper, set: {only: [sm_90a]}}\n";
    CHECK(paper::target(plan_with(rule, "9.0")) == "sm_90a");
    const auto denied = plan_with(rule, "12.0");
    CHECK(denied.verdict == Verdict::deny);
    CHECK(denied.reason == "it is compiled for [sm_90a] only, which does not run on 12.0 (rule "
                           "hopper)");
    CHECK(denied.origin == "p.yaml:3");
    const std::vector<policy::Document> documents{
        {policy::Layer::user, "p.yaml", "policy: 1\nrules:\n" + rule},
        {policy::Layer::project, "q.yaml",
         std::string("policy: 1\nrules:\n  - allow: {rule: hopper, reason: r}\n")}};
    const auto allowed = paper::plan(policy::Policy::load(documents), "12.0");
    CHECK(allowed.verdict == Verdict::allow);
    CHECK(paper::target(allowed) == "sm_90a");
    CHECK_FALSE(allowed.runs_on_device);
}

TEST_CASE("of targets, fixed and only the last one counts") {
    CHECK(paper::target(plan_with("  - set: {fixed: [sm_90a]}\n  - set: {targets: [plain]}\n",
                                  "12.0")) == "sm_120");
    const auto plan =
        plan_with("  - set: {targets: [plain]}\n  - set: {fixed: [sm_90a]}\n", "12.0");
    CHECK(paper::target(plan) == "sm_90a");
    const auto note = paper::note(plan, "targets: [plain]");
    CHECK_FALSE(note.applied);
    CHECK(note.reason == "p.yaml:4 counts");
}

TEST_CASE("a target that the toolkit lacks is refused, or kept and said to be lacking") {
    const auto refused = plan_with("  - set: {fixed: [sm_107a]}\n", "10.0");
    CHECK(refused.verdict == Verdict::unsupported);
    CHECK(refused.reason.find("CUDA 13.0 has no sm_107a") != std::string::npos);
    const std::string keep = "  - set: {missing_targets: keep}\n";
    const auto kept = plan_with("  - set: {fixed: [sm_107a]}\n" + keep, "10.0");
    CHECK(kept.verdict == Verdict::allow);
    CHECK(kept.obstacle.find("CUDA 13.0 has no sm_107a") != std::string::npos);
    const auto bare = plan_with("  - set: {targets: [a]}\n" + keep, "10.7");
    CHECK(paper::target(bare) == "sm_107a");
    CHECK_FALSE(bare.obstacle.empty());
    const auto written = plan_with(keep, "sm_107a");
    CHECK(paper::target(written) == "sm_107a");
    CHECK_FALSE(written.obstacle.empty());
    const auto first_that_is_there =
        plan_with("  - set: {targets: [f, a]}\n" + keep, "12.0", paper::cuda_12_8());
    CHECK(paper::target(first_that_is_there) == "sm_120a");
    CHECK(first_that_is_there.obstacle.empty());
}

TEST_CASE("one target stands for another") {
    const std::string remap = "  - name: r\n    set: {targets: [a], remap: {sm_107a: sm_100f}}\n";
    const auto plan = plan_with(remap, "10.7");
    CHECK(paper::target(plan) == "sm_100f");
    CHECK(plan.runs_on_device);
    CHECK(plan.target_reason.find("sm_107a is remapped to sm_100f") != std::string::npos);
    const auto written = plan_with(remap, "10.7a");
    CHECK(paper::target(written) == "sm_100f");
    CHECK(written.target_reason == "written out as sm_107a, remapped to sm_100f");
    CHECK(targets(plan_with(remap + "  - set: {fixed: [sm_100f, sm_107a]}\n", "9.0")) == "sm_100f");
    // A later rule takes it back.
    CHECK(plan_with(remap + "  - set: {remap: {sm_107a: sm_107a}, missing_targets: keep}\n", "10.7")
              .target->str() == "sm_107a");
}

TEST_CASE("relocatable code is planned, and Kiln says that it does not link") {
    const auto plan = plan_with("  - set: {options: [-rdc=true]}\n", "9.0");
    CHECK(plan.verdict == Verdict::allow);
    CHECK(plan.obstacle.find("-rdc=true (p.yaml:3) asks for a link step") != std::string::npos);
    CHECK(plan_with("  - set: {options: [-rdc=true, -rdc=false]}\n", "9.0").obstacle.empty());
}
