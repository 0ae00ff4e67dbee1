// SPDX-License-Identifier: Apache-2.0
#include "policy/paper.h"
#include "policy/plan_difference.h"

#include <doctest/doctest.h>

namespace policy = kiln::policy;

namespace {

std::vector<std::string> changes(const std::string& before, const std::string& after,
                                 const std::string& arch = "9.0") {
    const auto plan = [&arch](const std::string& rules) {
        return paper::resolve(paper::policy("policy: 1\nrules:\n" + rules), paper::module("m"),
                              arch, paper::cuda_13_0());
    };
    std::vector<std::string> texts;
    for (const auto& change : policy::differences(plan(before), plan(after))) {
        texts.push_back(change.what + ": " + change.text);
    }
    return texts;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("equal answers differ in nothing, wherever the lines stand") {
    CHECK(changes("  - {set: {options: [-lineinfo]}}\n",
                  "  # a comment\n  - {set: {options: [-lineinfo]}}\n")
              .empty());
    CHECK(changes("  - {set: {ptx: never}}\n", "  - {set: {time_limit: 10min}}\n").empty());
}

TEST_CASE("each thing that a plan says is compared") {
    const std::string plain = "  - {set: {ptx: never}}\n";
    const Texts target = changes(plain, "  - {set: {targets: [plain]}}\n");
    REQUIRE(target.size() == 1);
    CHECK(target[0].starts_with("target: sm_90a (built-in/policy.yaml:"));
    CHECK(target[0].ends_with(" -> sm_90 (p.yaml:3)"));
    CHECK(
        changes(plain, "  - {set: {backends: [nvcc]}}\n").front().starts_with("backend: nvrtc ("));
    CHECK(changes("  - {set: {options: [-lineinfo]}}\n", "  - {set: {defines: {N: 1}}}\n") ==
          Texts{"flag: - -lineinfo (p.yaml:3)", "flag: + -DN=1 (p.yaml:3)"});
    CHECK(changes("  - {set: {defines: {A: 1, B: 1}}}\n", "  - {set: {defines: {B: 1, A: 1}}}\n") ==
          Texts{"flags: the same, in another order"});
    CHECK(changes(plain, "  - {require: {evidence: correct}}\n") ==
          Texts{"requires: none -> evidence: correct"});
    CHECK(changes(plain, "  - {warn: slow}\n") == Texts{"warning: + slow (p.yaml:3)"});
    CHECK(changes(plain, "  - {set: {ptx: always}}\n") == Texts{"ptx: wanted too"});
    CHECK(
        changes(plain, "  - {set: {time_limit: 500ms, memory_limit: 1GiB}}\n") ==
        Texts{"limit: 600 s -> 0.5 s", "limit: no limit of memory -> 1073741824 bytes of memory"});
    CHECK(changes(plain, "  - {set: {fixed: [sm_90a, sm_100a]}}\n") ==
          Texts{"targets: [sm_90a] -> [sm_90a, sm_100a]"});
    CHECK(changes(plain, "  - {set: {options: [-rdc=true]}}\n").size() == 2); // flag and obstacle
}

TEST_CASE("a verdict is told with both reasons; of two refusals the reason alone counts") {
    const std::string denies = "  - {name: n, deny: too new}\n";
    CHECK(
        changes("  - {set: {ptx: never}}\n", denies) ==
        Texts{"verdict: allow (no rule denies it; built-in) -> deny (too new (rule n); p.yaml:3)"});
    CHECK(changes(denies, "  - {name: n, deny: too new, set: {options: [-lineinfo]}}\n").empty());
    CHECK(changes(denies, "  - {name: n, deny: too old}\n").size() == 1);
}
