// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "policy/paper.h"

#include <doctest/doctest.h>

namespace policy = kiln::policy;
using kiln::Verdict;

namespace {

kiln::catalog::Need need(const char* capability, const char* targets, const char* toolkit,
                         const char* reason, int line = 9) {
    return {capability, targets, toolkit, reason, {"catalog.yaml", line, 9}, ""};
}

kiln::Plan plan(const kiln::catalog::Module& module, const char* arch,
                const policy::ToolkitFacts& toolkit = paper::cuda_13_0(),
                const std::string& user = "policy: 1\n") {
    return paper::resolve(paper::policy(user), module, arch, toolkit).plan;
}

} // namespace

TEST_CASE("a need that is not met denies, with its reason and line") {
    auto module = paper::module("bulk");
    module.needs = {need(">=9.0", "", "", "cp.async.bulk exists from 9.0 on")};
    CHECK(plan(module, "9.0").verdict == Verdict::allow);
    const auto denied = plan(module, "8.6");
    CHECK(denied.verdict == Verdict::deny);
    CHECK(denied.origin == "catalog.yaml:9");
    CHECK(denied.reason ==
          "it needs capability >=9.0: cp.async.bulk exists from 9.0 on (rule needs:bulk)");
}

TEST_CASE("a list, a range and a family, as one would write them for 10.3") {
    auto module = paper::module("m");
    module.needs = {need("10.0, 10.1", "", "", "r")};
    CHECK(plan(module, "10.3a").verdict == Verdict::deny);
    module.needs = {need(">=10.0 <11.0", "", "", "r")};
    CHECK(plan(module, "10.3a").verdict == Verdict::allow);
    module.needs = {need("10.0f", "", "", "r")};
    CHECK(plan(module, "10.3a").verdict == Verdict::allow);
}

TEST_CASE("a minimum is checked for each target by itself") {
    auto module = paper::module("m");
    module.needs = {need(">=7.5", "", "", "tensor cores")};
    CHECK(plan(module, "9.0a").verdict == Verdict::allow);
    const auto old = plan(module, "7.0");
    CHECK(old.verdict == Verdict::deny);
    CHECK(contains(old.target_reason, "removed"));
}

TEST_CASE("a need for a suffix chooses within the policy's preference, and never outside it") {
    auto module = paper::module("fp4");
    module.needs = {need("", "a", "", "only in the accelerated set")};
    const auto locked = plan(module, "12.0");
    CHECK(locked.verdict == Verdict::allow);
    CHECK(paper::target(locked) == "sm_120a");
    CHECK(contains(locked.target_reason, "sm_120f is refused by needs:fp4 (catalog.yaml:9)"));
    const auto plain = plan(module, "12.0", paper::cuda_13_0(),
                            "policy: 1\nrules:\n  - set: {targets: [plain]}\n");
    CHECK(plain.verdict == Verdict::deny);
    CHECK(contains(plain.reason, "it needs a target of [a]"));
    CHECK(plan(module, "sm_120").verdict == Verdict::deny);
    CHECK(plan(module, "sm_120a").verdict == Verdict::allow);
    CHECK(plan(module, "8.0").verdict == Verdict::deny);
}

TEST_CASE("a module for one family's cubin serves the later member") {
    auto module = paper::module("m");
    module.needs = {need("", "sm_120f", "", "tuned for it")};
    const auto later = plan(module, "12.1");
    CHECK(later.verdict == Verdict::allow);
    CHECK(paper::target(later) == "sm_120f");
    CHECK(contains(later.target_reason, "sm_120f is the highest that runs on 12.1"));
    // Written out it is 12.1f and nothing else: refused by name, not dropped.
    CHECK(plan(module, "12.1f").verdict == Verdict::deny);
}

TEST_CASE("a need may count only from a capability on") {
    auto module = paper::module("fusion");
    module.needs = {need("", "f, a", "", "converts to FP4 from 10.0 on")};
    module.needs[0].when = ">=10.0";
    CHECK(plan(module, "8.0").verdict == Verdict::allow);
    CHECK(plan(module, "sm_90").verdict == Verdict::allow);
    CHECK(plan(module, "sm_120").verdict == Verdict::deny);
    CHECK(paper::target(plan(module, "12.0")) == "sm_120f");
}

TEST_CASE("needs of one module are not those of another whose name begins alike") {
    auto module = paper::module("m/x");
    module.needs = {need(">=9.0", "", "", "r")};
    CHECK(plan(module, "8.0", paper::cuda_13_0(),
               "policy: 1\nrules:\n  - allow: {rule: needs:m, reason: r}\n")
              .verdict == Verdict::deny);
}

TEST_CASE("a need for a toolkit") {
    auto module = paper::module("m");
    module.needs = {need("", "", ">=12.9", "ptxas 12.8 miscompiles it")};
    CHECK(plan(module, "12.0").verdict == Verdict::allow);
    CHECK(contains(plan(module, "12.0", paper::cuda_12_8()).reason, "it needs CUDA >=12.9"));
}

TEST_CASE("several needs are numbered, and can be opened one by one or all") {
    auto module = paper::module("m");
    module.needs = {need(">=9.0", "", "", "first", 9), need("", "a, f", "", "second", 10)};
    const auto denied = plan(module, "8.0");
    CHECK(denied.reason == "it needs capability >=9.0: first (rule needs:m#1)");
    const auto allow = [](const char* name) {
        return std::string("policy: 1\nrules:\n  - allow: {rule: \"") + name + "\", reason: r}\n";
    };
    const auto one = plan(module, "8.0", paper::cuda_13_0(), allow("needs:m#1"));
    CHECK(one.reason == "it needs a target of [a, f]: second (rule needs:m#2)");
    CHECK(one.origin == "catalog.yaml:10");
    CHECK(plan(module, "8.0", paper::cuda_13_0(), allow("needs:m")).verdict == Verdict::allow);
    CHECK(plan(module, "8.0", paper::cuda_13_0(), allow("needs:*")).verdict == Verdict::allow);
    CHECK(plan(module, "8.0", paper::cuda_13_0(), allow("needs:mm")).verdict == Verdict::deny);
}

TEST_CASE("an opened need no longer steers the target") {
    auto module = paper::module("m");
    module.needs = {need("", "a", "", "r")};
    const auto opened = plan(module, "12.0", paper::cuda_13_0(),
                             "policy: 1\nrules:\n  - allow: {rule: needs:m, reason: r}\n");
    CHECK(paper::target(opened) == "sm_120f");
    CHECK(opened.origin == "p.yaml:3");
}
