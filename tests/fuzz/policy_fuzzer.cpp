// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_input.h"
#include "policy/paper.h"

#include <kiln/error.h>

#include <string>
#include <vector>

using namespace kiln;

namespace {

struct Questions {
    std::vector<policy::ToolkitFacts> toolkits{paper::cuda_12_8(), paper::cuda_13_0()};
    std::vector<ArchRequest> archs =
        ArchRequest::parse_list("9.0,12.0,10.3,5.0,sm_120f,9.0a+PTX,compute_90");
    catalog::Module module = paper::module("library/kernel");

    policy::Surroundings surroundings;

    Questions() {
        surroundings.variable = [](std::string_view name) {
            return name == "v" ? std::optional<std::string>("${env:T}") : std::nullopt;
        };
        surroundings.environment = [](std::string_view name) {
            return name.size() == 1 ? std::optional<std::string>("1") : std::nullopt;
        };
        surroundings.header = [](const catalog::Instance&, std::string_view) {
            return std::optional<std::string>("struct Sm90 {};");
        };
        surroundings.device = [](ComputeCapability capability) {
            policy::DeviceFacts facts;
            facts.name = "H200";
            facts.memory = 1ULL << 37;
            facts.driver = *toolkit::Version::parse("13.0");
            return capability.major == 9 ? std::optional(facts) : std::nullopt;
        };
        surroundings.experiments = {"e*"};
        module.parameters = {{"dtype", {"float", "half"}}, {"vec", {"4", "8"}}};
        module.tags = {"attention"};
        module.options = {{"-O2", {"catalog.yaml", 7, 3}}};
    }
};

void ask(const policy::Policy& policy, const Questions& questions) {
    const catalog::Instance instance{&questions.module, {{"dtype", "half"}, {"vec", "8"}}};
    for (const policy::ToolkitFacts& toolkit : questions.toolkits) {
        for (const ArchRequest& arch : questions.archs) {
            try {
                const Plan plan =
                    policy
                        .resolve({instance, arch, questions.archs, toolkit, questions.surroundings})
                        .plan;
                promise(!plan.reason.empty() && !plan.origin.empty(), "a plan says why");
                promise(plan.target || plan.verdict != Verdict::allow, "no target, no compile");
                promise(plan.targets.empty() == !plan.target, "one target is one of all");
            } catch (const Error& error) {
                promise(error.code() == ErrorCode::policy || error.code() == ErrorCode::catalog,
                        "the code of what resolve throws");
            }
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Questions questions;
    const policy::Document document{policy::Layer::user, "p.yaml",
                                    std::string(fuzz_text(data, size))};
    try {
        const auto policy = policy::Policy::load({&document, 1});
        for (const auto& rule : policy.rules())
            promise(!rule.origin.empty(), "a rule knows where it stands");
        ask(policy, questions);
    } catch (const Error& error) {
        promise(error.code() == ErrorCode::policy, "the code of a policy that is refused");
        promise(error.context("location").starts_with("p.yaml:"), "where it is refused");
    }
    return 0;
}
