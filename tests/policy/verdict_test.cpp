// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "policy/paper.h"

#include <doctest/doctest.h>

namespace policy = kiln::policy;
using kiln::Verdict;
using policy::Document;
using policy::Layer;

namespace {

const Document gates{Layer::library, "gates.yaml",
                     std::string("policy: 1\n"
                                 "rules:\n"
                                 "  - name: mla-sm12\n"
                                 "    match: {module: mla, major: 12}\n"
                                 "    deny: SM 12.x has no TMEM\n"
                                 "  - name: cuda-12.9\n"
                                 "    match: {major: 12, toolkit: \"<12.9\"}\n"
                                 "    deny: SM 12.x needs CUDA 12.9\n")};

kiln::Plan plan(const std::string& rules, const char* arch = "12.0", Layer layer = Layer::user,
                const policy::ToolkitFacts& toolkit = paper::cuda_13_0()) {
    const std::vector<Document> documents{gates, {layer, "mine.yaml", "policy: 1\n" + rules}};
    return paper::resolve(policy::Policy::load(documents), paper::module("mla"), arch, toolkit)
        .plan;
}

} // namespace

TEST_CASE("a deny has its reason, rule and line") {
    const auto denied = plan("rules: []\n");
    CHECK(denied.verdict == Verdict::deny);
    CHECK(denied.reason == "SM 12.x has no TMEM (rule mla-sm12)");
    CHECK(denied.origin == "gates.yaml:3");
    CHECK(paper::target(denied) == "sm_120f"); // what it would have been
    CHECK(plan("rules: []\n", "10.0").verdict == Verdict::allow);
}

TEST_CASE("three lines open a gate, and the plan says over what") {
    const auto allowed = plan("rules:\n"
                              "  - {match: {module: mla, capability: 12.0}, allow: {rule: "
                              "mla-sm12, reason: works for me}}\n");
    CHECK(allowed.verdict == Verdict::allow);
    CHECK(allowed.origin == "mine.yaml:3");
    CHECK(allowed.reason ==
          "works for me (allowed over mla-sm12 at gates.yaml:3: SM 12.x has no TMEM)");
    const auto note = paper::note(allowed, "deny: SM 12.x has no TMEM");
    CHECK_FALSE(note.applied);
    CHECK(note.origin == "gates.yaml:3");
    CHECK(note.reason == "allowed at mine.yaml:3: works for me");
    CHECK(paper::note(allowed, "allow mla-sm12").applied);
}

TEST_CASE("only what the allow matches is opened") {
    const auto other = plan("rules:\n  - {match: {module: mla, capability: 12.0}, "
                            "allow: {rule: mla-sm12, reason: r}}\n",
                            "12.1");
    CHECK(other.verdict == Verdict::deny);
}

TEST_CASE("each deny needs its own allow, and the first that is left is the cause") {
    const auto left = plan("rules:\n  - allow: {rule: mla-sm12, reason: r}\n", "12.0", Layer::user,
                           paper::cuda_12_8());
    CHECK(left.verdict == Verdict::deny);
    CHECK(left.reason == "SM 12.x needs CUDA 12.9 (rule cuda-12.9)");
    const auto both = plan("rules: []\n", "12.0", Layer::user, paper::cuda_12_8());
    CHECK(both.origin == "gates.yaml:3");
    const auto opened = plan("rules:\n  - allow: {rule: [mla-sm12, \"cuda-*\"], reason: r}\n",
                             "12.0", Layer::user, paper::cuda_12_8());
    CHECK(opened.verdict == Verdict::allow);
    CHECK(paper::target(opened) == "sm_120a");
}

TEST_CASE("an allow of the same or a weaker layer opens nothing, and says why") {
    const auto same =
        plan("rules:\n  - allow: {rule: mla-sm12, reason: r}\n", "12.0", Layer::library);
    CHECK(same.verdict == Verdict::deny);
    CHECK_FALSE(paper::note(same, "allow mla-sm12").applied);
    CHECK(contains(paper::note(same, "allow mla-sm12").reason, "not of a weaker layer"));
}

TEST_CASE("an allow that names no deny says so") {
    const auto typo = plan("rules:\n  - allow: {rule: mla-sm21, reason: r}\n");
    CHECK(typo.verdict == Verdict::deny);
    CHECK(paper::note(typo, "allow mla-sm21").reason == "no deny of that name holds here");
}

TEST_CASE("a stronger layer may deny again") {
    const std::vector<Document> documents{
        gates,
        {Layer::user, "u.yaml",
         std::string("policy: 1\nrules:\n  - allow: {rule: mla-sm12, reason: r}\n")},
        {Layer::command_line, "c.yaml",
         std::string("policy: 1\nrules:\n  - {name: not-here, deny: not on this machine}\n")}};
    const auto denied = paper::resolve(policy::Policy::load(documents), paper::module("mla"),
                                       "12.0", paper::cuda_13_0())
                            .plan;
    CHECK(denied.verdict == Verdict::deny);
    CHECK(denied.origin == "c.yaml:3");
}

TEST_CASE("a deny is the answer where the toolkit has no target either, and both are told") {
    const auto old = plan("rules:\n  - {name: floor, match: {capability: \"<7.5\"}, "
                          "deny: below 7.5}\n",
                          "7.0");
    CHECK(old.verdict == Verdict::deny);
    CHECK(old.reason == "below 7.5 (rule floor)");
    CHECK_FALSE(old.target.has_value());
    CHECK(contains(old.target_reason, "removed in CUDA 13.0"));
}

TEST_CASE("an allow does not conjure up a target") {
    const auto opened = plan("rules:\n"
                             "  - {name: unknown, match: {capability: 13.0}, deny: not yet}\n",
                             "13.0", Layer::system);
    CHECK(opened.verdict == Verdict::deny);
    const std::vector<Document> documents{
        {Layer::system, "s.yaml", std::string("policy: 1\nrules:\n  - {name: n, deny: not yet}\n")},
        {Layer::user, "u.yaml",
         std::string("policy: 1\nrules:\n  - allow: {rule: n, reason: r}\n")}};
    const auto unsupported = paper::plan(policy::Policy::load(documents), "13.0");
    CHECK(unsupported.verdict == Verdict::unsupported);
    CHECK(contains(unsupported.reason, "sm_130"));
}

TEST_CASE("a deny may hang on the target or the backend") {
    const std::string rules = "rules:\n"
                              "  - {name: locked, match: {target: a}, deny: nothing locked}\n"
                              "  - {name: slow, match: {backend: nvcc}, deny: too slow}\n";
    // The preference goes on to a target that is not refused.
    const auto portable = paper::plan(paper::policy("policy: 1\n" + rules), "9.0");
    CHECK(portable.verdict == Verdict::allow);
    CHECK(paper::target(portable) == "sm_90");
    CHECK(portable.target_reason ==
          "`plain` of [a, plain]: sm_90a is refused by locked (p.yaml:3)");
    const auto written = paper::plan(paper::policy("policy: 1\n" + rules), "9.0a");
    CHECK(written.verdict == Verdict::deny);
    CHECK(written.origin == "p.yaml:3");
    const auto nvcc =
        paper::plan(paper::policy("policy: 1\n" + rules + "  - set: {backends: [nvcc]}\n"), "8.0");
    CHECK(nvcc.reason == "too slow (rule slow)");
}
