// SPDX-License-Identifier: Apache-2.0
// Warnings, experiments, demands on proof, known miscompiles.
#include "policy/paper.h"

#include <doctest/doctest.h>

using namespace kiln;

namespace {

Plan plan_of(const std::vector<policy::Document>& documents, const std::string& arch = "9.0",
             std::vector<std::string> experiments = {}) {
    const auto module = paper::module("m");
    const catalog::Instance instance{&module, {}};
    policy::Surroundings surroundings;
    surroundings.experiments = std::move(experiments);
    return paper::resolve(policy::Policy::load(documents), instance, arch, paper::cuda_13_0(),
                          surroundings)
        .plan;
}

policy::Document document(policy::Layer layer, const std::string& body) {
    return {layer, "p.yaml", "policy: 1\n" + body};
}

const policy::Document experiment =
    document(policy::Layer::library, "rules:\n  - {name: new-path, experimental: seen once}\n");

} // namespace

TEST_CASE("a warning goes with the plan and changes nothing") {
    const auto plan = plan_of({document(policy::Layer::user, "rules:\n  - warn: slow here\n")});
    CHECK(plan.verdict == Verdict::allow);
    REQUIRE(plan.warnings.size() == 1);
    CHECK(plan.warnings[0].text == "slow here");
    CHECK(plan.warnings[0].origin == "p.yaml:3");
}

TEST_CASE("an experiment needs an opt-in, which is said in the plan") {
    const auto denied = plan_of({experiment});
    CHECK(denied.verdict == Verdict::deny);
    CHECK(denied.reason == "experimental: seen once; opt in with --experimental new-path (rule "
                           "new-path)");
    for (const char* name : {"new-path", "new-*"}) {
        const auto plan = plan_of({experiment}, "9.0", {name});
        CHECK(plan.verdict == Verdict::allow);
        REQUIRE(plan.warnings.size() == 1);
        CHECK(plan.warnings[0].text == "experimental: seen once");
    }
    CHECK(plan_of({experiment}, "9.0", {"other"}).verdict == Verdict::deny);
    const auto allow =
        document(policy::Layer::user, "rules:\n  - allow: {rule: new-path, reason: I know}\n");
    const auto allowed = plan_of({experiment, allow});
    CHECK(allowed.verdict == Verdict::allow);
    CHECK(allowed.reason.find("I know (allowed over new-path") != std::string::npos);
    // An opt-in opens no deny.
    const auto deny = document(policy::Layer::library, "rules:\n  - {name: no, deny: no}\n");
    CHECK(plan_of({deny}, "9.0", {"no"}).verdict == Verdict::deny);
}

TEST_CASE("demands add up, and a stronger layer lifts one") {
    const auto demand =
        document(policy::Layer::library, "rules:\n  - require: {evidence: correct, probe: ok}\n");
    CHECK(plan_of({demand}).requires_ ==
          std::vector<std::string>{"evidence: correct", "probe: ok"});
    const auto lift = document(policy::Layer::user, "rules:\n  - require: {evidence: none, "
                                                    "faster_than: fallback}\n");
    CHECK(plan_of({demand, lift}).requires_ ==
          std::vector<std::string>{"faster_than: fallback", "probe: ok"});
}

TEST_CASE("a known miscompile warns, denies or adds options, at the levels it strikes at") {
    const auto table = [](const std::string& more) {
        return document(policy::Layer::library,
                        "miscompiles:\n  - name: bad-loop\n    match: {toolkit: 13.0, target: a}\n"
                        "    symptom: a loop runs once too often\n    confidence: reproduced\n"
                        "    source: a report\n" +
                            more);
    };
    const auto warned = plan_of({table("    action: warn\n")});
    REQUIRE(warned.warnings.size() == 1);
    CHECK(warned.warnings[0].text ==
          "known miscompile (reproduced, a report): a loop runs once too often");
    CHECK(plan_of({table("    action: warn\n")}, "8.0").warnings.empty()); // plain target

    const auto denied = plan_of({table("    action: deny\n")});
    CHECK(denied.verdict == Verdict::deny);
    CHECK(denied.reason.find("(rule miscompile:bad-loop)") != std::string::npos);
    const auto allow = document(policy::Layer::user, "rules:\n  - allow: {rule: "
                                                     "\"miscompile:bad-loop\", reason: patched}\n");
    CHECK(plan_of({table("    action: deny\n"), allow}).verdict == Verdict::allow);

    const auto avoided = plan_of({table("    action: options\n    options: [-Xptxas=-O1]\n")});
    CHECK(paper::flags(avoided).find("-Xptxas=-O1") != std::string::npos);
    CHECK(avoided.warnings.size() == 1);

    const auto level = table("    action: deny\n    optimization: [2, 3]\n");
    CHECK(plan_of({level}).verdict == Verdict::deny);
    for (const char* option : {"-Xptxas=-O1", "-G", "--ptxas-options=--opt-level=0"}) {
        CAPTURE(option);
        const auto user = document(
            policy::Layer::user, std::string("rules:\n  - set: {options: [\"") + option + "\"]}\n");
        CHECK(plan_of({level, user}).verdict == Verdict::allow);
    }
}
