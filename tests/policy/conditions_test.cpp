// SPDX-License-Identifier: Apache-2.0
#include "policy/paper.h"

#include <doctest/doctest.h>

#include <map>

using namespace kiln;

namespace {

/// Whether a rule with this `match:` (and `unless:`) holds for an instance and a list of archs.
class Trial {
  public:
    std::map<std::string, std::string> parameters;
    policy::Surroundings surroundings;
    policy::ToolkitFacts toolkit = paper::cuda_13_0();
    std::string variables;

    bool holds(const std::string& match, const std::string& archs = "9.0",
               const std::string& unless = {}) const {
        const auto policy = paper::policy(
            "policy: 1\n" + (variables.empty() ? "" : "variables: " + variables + "\n") +
            "rules:\n  - name: r\n    match: " + match + "\n" +
            (unless.empty() ? "" : "    unless: " + unless + "\n") +
            "    set: {defines: {HIT: }}\n");
        const auto module = paper::module("m");
        catalog::Instance instance{&module, {}};
        instance.parameters.assign(parameters.begin(), parameters.end());
        const auto plan = paper::resolve(policy, instance, archs, toolkit, surroundings).plan;
        return paper::flags(plan).find("-DHIT") != std::string::npos;
    }
};

} // namespace

TEST_CASE("parameters are compared as texts and as numbers") {
    Trial trial;
    trial.parameters = {
        {"head_dim", "256"}, {"backend", "fa3"}, {"q_len", "4"}, {"group", "8"}, {"swa", "True"}};
    CHECK(trial.holds("{parameters: {backend: fa3}}"));
    CHECK(trial.holds("{parameters: {backend: [fa2, fa3]}}"));
    CHECK_FALSE(trial.holds("{parameters: {backend: fa2}}"));
    CHECK(trial.holds("{parameters: {head_dim: 256}}"));
    CHECK(trial.holds("{parameters: {head_dim: \"0256\"}}"));
    CHECK(trial.holds("{parameters: {head_dim: \"<=256\"}}"));
    CHECK_FALSE(trial.holds("{parameters: {head_dim: \">256\"}}"));
    CHECK(trial.holds("{parameters: {head_dim: \">=64 <=256\"}}"));
    CHECK_FALSE(trial.holds("{parameters: {head_dim: \">=64 <256\"}}"));
    CHECK(trial.holds("{parameters: {head_dim: 128..256}}"));
    CHECK(trial.holds("{parameters: {head_dim: [64, \">200\"]}}"));
    CHECK(trial.holds("{parameters: {\"q_len*group\": \"<=32\"}}"));
    CHECK_FALSE(trial.holds("{parameters: {q_len * group: \"<32\"}}"));
    CHECK(trial.holds("{parameters: {swa: true}}"));
    CHECK_FALSE(trial.holds("{parameters: {absent: \"<4\"}}"));
    CHECK_FALSE(trial.holds("{parameters: {backend: \"<4\"}}")); // no number
    CHECK_FALSE(trial.holds("{parameters: {\"backend*group\": \">0\"}}"));
    trial.parameters["q_len"] = "9223372036854775807";
    CHECK_FALSE(trial.holds("{parameters: {\"q_len*group\": \">0\"}}")); // past 64 bits: no answer
}

TEST_CASE("a rule may look at the whole list of archs, and at how an arch was given") {
    const Trial trial;
    CHECK(trial.holds("{any_arch: {major: 9}}", "12.0,9.0"));
    CHECK_FALSE(trial.holds("{any_arch: {major: 9}}", "12.0"));
    CHECK(trial.holds("{capability: 12.0, any_arch: {capability: \">=7.5\"}}", "12.0,7.0"));
    CHECK_FALSE(trial.holds("{any_arch: {major: 12, written_out: false}}", "9.0,12.0a"));
    CHECK(trial.holds("{any_arch: {major: 12, written_out: true}}", "9.0,12.0a"));
    CHECK(trial.holds("{written_out: true}", "sm_90"));
    CHECK(trial.holds("{written_out: false}", "9.0"));
    CHECK_FALSE(trial.holds("{written_out: true}", "9.0,12.0a")); // this one, not the other
    CHECK(trial.holds("{}", "12.0", "{any_arch: {major: 9}}"));
    CHECK_FALSE(trial.holds("{}", "12.0,9.0", "{any_arch: {major: 9}}"));
}

TEST_CASE("variables and environment are asked by name") {
    Trial trial;
    CHECK_FALSE(trial.holds("{environment: {DEBUG: }}"));
    CHECK_FALSE(trial.holds("{variables: {mode: fast}}"));
    trial.surroundings.environment = [](std::string_view name) {
        return name == "DEBUG" ? std::optional<std::string>("1") : std::nullopt;
    };
    CHECK(trial.holds("{environment: {DEBUG: 1}}"));
    CHECK(trial.holds("{environment: {DEBUG: }}")); // set, whatever it is
    CHECK_FALSE(trial.holds("{environment: {DEBUG: 2}}"));
    CHECK_FALSE(trial.holds("{environment: {DEBUG: 1, OTHER: }}"));
    trial.variables = "{mode: fast, level: \"${env:DEBUG:-0}\", loop: \"${loop}\"}";
    CHECK(trial.holds("{variables: {mode: fast}}"));
    CHECK(trial.holds("{variables: {level: 1}}"));
    CHECK_FALSE(trial.holds("{variables: {loop: }}")); // names itself: unset
    trial.surroundings.variable = [](std::string_view name) {
        return name == "mode" ? std::optional<std::string>("slow") : std::nullopt;
    };
    CHECK(trial.holds("{variables: {mode: slow}}")); // the caller's is stronger
    CHECK(trial.holds("{variables: {level: \">0\"}}"));
}

TEST_CASE("device and driver are asked only where a rule names them") {
    Trial trial;
    int asked = 0;
    CHECK_FALSE(trial.holds("{device: {integrated: false}}"));
    CHECK(trial.holds("{}", "9.0", "{device: {integrated: true}}")); // no device: not met
    trial.surroundings.device = [&asked](ComputeCapability capability) {
        ++asked;
        policy::DeviceFacts facts;
        facts.name = "NVIDIA H200";
        facts.memory = 141ULL << 30;
        facts.shared_memory_per_block = 227 << 10;
        facts.driver = *toolkit::Version::parse("13.0");
        return capability == ComputeCapability{9, 0} ? std::optional(facts) : std::nullopt;
    };
    CHECK(trial.holds("{capability: 9.0}"));
    CHECK(asked == 0);
    CHECK(trial.holds("{device: {memory: \">=80GiB\"}}"));
    CHECK(asked > 0);
    CHECK_FALSE(trial.holds("{device: {memory: \"<80GiB\"}}"));
    CHECK(trial.holds("{device: {shared_memory_per_block: 227KiB, integrated: false}}"));
    CHECK(trial.holds("{device: {name: \"*H200*\"}}"));
    CHECK(trial.holds("{driver: \">=12.8\"}"));
    CHECK_FALSE(trial.holds("{driver: \"<13.0\"}"));
    CHECK_FALSE(trial.holds("{driver: \">=12.8\"}", "12.0")); // no such device
}

TEST_CASE("a header that is there and holds a text") {
    Trial trial;
    CHECK_FALSE(trial.holds("{header: {name: cutlass/arch/arch.h, contains: Sm90}}"));
    trial.surroundings.header = [](const catalog::Instance&, std::string_view name) {
        return name == "cutlass/arch/arch.h" ? std::optional<std::string>("struct Sm90 {};")
                                             : std::nullopt;
    };
    CHECK(trial.holds("{header: {name: cutlass/arch/arch.h, contains: struct Sm90}}"));
    CHECK_FALSE(trial.holds("{header: {name: cutlass/arch/arch.h, contains: struct Sm107}}"));
    CHECK_FALSE(trial.holds("{header: {name: other.h, contains: struct}}"));
}
