// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "policy/paper.h"

#include <doctest/doctest.h>

#include <chrono>

namespace policy = kiln::policy;

TEST_CASE("what holds without any policy of one's own") {
    const auto resolution =
        paper::resolve(paper::built_in(), paper::module("m"), "8.0", paper::cuda_13_0());
    const kiln::Plan& plan = resolution.plan;
    CHECK(plan.module == "m");
    CHECK(plan.instance == "m");
    CHECK(plan.verdict == kiln::Verdict::allow);
    CHECK(plan.reason == "no rule denies it");
    CHECK(plan.origin == "built-in");
    CHECK(plan.backend == kiln::Backend::nvrtc);
    CHECK(plan.toolkit == "13.0.88");
    CHECK(plan.requires_.empty());
    CHECK(paper::flags(plan) == "-std=c++17");
    CHECK(contains(plan.flags[0].origin, "built-in/policy.yaml:"));
    CHECK(contains(plan.backend_origin, "built-in/policy.yaml:"));
    CHECK(resolution.time_limit == std::chrono::minutes(10));
    CHECK_FALSE(resolution.with_ptx);
}

TEST_CASE("origins of the built-in layer name the line of configs/policy.yaml") {
    const auto plan = paper::plan(paper::built_in(), "8.0");
    const std::string text(policy::built_in_policy());
    const std::string origin = plan.flags[0].origin;
    const int line = std::stoi(origin.substr(origin.rfind(':') + 1));
    std::istringstream lines(text);
    std::string found;
    for (int i = 0; i < line; ++i) {
        std::getline(lines, found);
    }
    CHECK(contains(found, "language: c++17"));
}

TEST_CASE("a built-in layer of one's own takes the place of the shipped one") {
    const policy::Document document{policy::Layer::built_in, "mine.yaml",
                                    std::string("policy: 1\nrules: []\n")};
    const auto empty = policy::Policy::load({&document, 1});
    CHECK(empty.rules().empty());
    const auto plan = paper::plan(empty, "12.0");
    CHECK(paper::target(plan) == "sm_120");
    CHECK(plan.target_origin == "built-in");
    CHECK(plan.flags.empty());
    CHECK(plan.backend == kiln::Backend::nvrtc);
}

TEST_CASE("the same capability by another road is the same plan") {
    // YAML, environment, flag and device all become text or a capability, and then one request.
    const auto policy = paper::built_in();
    const auto m = paper::module("m");
    const kiln::catalog::Instance instance{&m, {}};
    const auto facts = paper::cuda_13_0();
    const kiln::policy::Surroundings nothing;
    kiln::ArchRequest device;
    device.target.capability = {12, 0};
    const auto text = kiln::ArchRequest::parse("12.0");
    const auto listed = kiln::ArchRequest::parse_list("9.0, 12.0").back();
    const auto described = [&](const kiln::ArchRequest& request) {
        const auto plan = policy.resolve({instance, request, {&request, 1}, facts, nothing}).plan;
        std::string all = paper::target(plan) + plan.target_reason + plan.target_origin +
                          plan.reason + plan.origin + paper::flags(plan);
        for (const auto& rule : plan.rules) {
            all += rule.name + rule.origin + rule.effect + rule.reason;
        }
        return all;
    };
    CHECK(described(text) == described(device));
    CHECK(described(text) == described(listed));
}

TEST_CASE("the rules can be shown") {
    const auto rules = paper::policy("policy: 1\nrules:\n"
                                     "  - name: no-old\n"
                                     "    match: {module: [a*, b], capability: \"<8.0\"}\n"
                                     "    unless: {tag: old}\n"
                                     "    deny: too old\n"
                                     "  - set: {defines: {N: 1}, options: [-lineinfo]}\n"
                                     "  - allow: {rule: no-old, reason: tried}\n",
                                     policy::Layer::project)
                           .rules();
    REQUIRE(rules.size() > 3);
    CHECK(rules[0].layer == policy::Layer::built_in);
    const auto& deny = rules[rules.size() - 3];
    CHECK(deny.layer == policy::Layer::project);
    CHECK(deny.name == "no-old");
    CHECK(deny.origin == "p.yaml:3");
    CHECK(deny.match == "module: [a*, b], capability: <8.0; unless tag: old");
    CHECK(deny.effect == "deny: too old");
    const auto& set = rules[rules.size() - 2];
    CHECK(set.match == "everything");
    CHECK(set.effect == "set defines: {N: 1}; set options: [-lineinfo]");
    CHECK(rules.back().effect == "allow no-old: tried");
    CHECK(policy::to_string(policy::Layer::command_line) == "command line");
}
