// SPDX-License-Identifier: Apache-2.0
// The example policy against what FlashInfer's own code answers: tests/policy/data/README.md.
#include "base/text.h"
#include "policy/paper.h"
#include "service/settings.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <map>
#include <set>

using namespace kiln;
using Json = nlohmann::json;

namespace {

Json read_json(const std::string& name) {
    std::ifstream file(std::string(KILN_SOURCE_DIR) + "/tests/policy/data/" + name);
    REQUIRE(file);
    return Json::parse(file);
}

/// The example as the program would load it.
struct Example {
    Example() {
        ServiceOptions options;
        options.use_environment = false;
        options.configurations = {std::string(KILN_SOURCE_DIR) +
                                  "/configs/examples/flashinfer.yaml"};
        settings = service::resolve_settings(options, base::Environment());
        catalog.emplace(catalog::Catalog::load(settings.catalogs, settings.variables, {}));
        policy.emplace(policy::Policy::load(settings.policies));
        surroundings.variable = [this](std::string_view name) -> std::optional<std::string> {
            const auto found = settings.variables.find(std::string(name));
            return found == settings.variables.end() ? std::nullopt : std::optional(found->second);
        };
    }
    std::vector<Plan> plans(const std::string& module, const Json& parameters,
                            const std::vector<std::string>& archs,
                            const std::string& version) const {
        std::map<std::string, std::string> values;
        for (const auto& [name, value] : parameters.items())
            values[name] = value.is_string() ? value.get<std::string>() : value.dump();
        const auto instance = catalog->instance(catalog->find(module), values);
        std::vector<ArchRequest> requests;
        for (const auto& arch : archs)
            requests.push_back(ArchRequest::parse(arch));
        // Which targets the toolkit has makes no difference to what FlashInfer answers.
        const auto toolkit =
            paper::toolkit(version.c_str(), "75 80 86 89 90 90a 100 100a 120 120a");
        std::vector<Plan> result;
        for (const auto& request : requests)
            result.push_back(
                policy->resolve({instance, request, requests, toolkit, surroundings}).plan);
        return result;
    }

    service::Settings settings;
    std::optional<catalog::Catalog> catalog;
    std::optional<policy::Policy> policy;
    policy::Surroundings surroundings;
};

/// `-D` and `-U` of each name, and `-I`, in order; a repetition counts once.
std::map<std::string, std::vector<std::string>> ordered(const std::vector<std::string>& flags) {
    std::map<std::string, std::vector<std::string>> result;
    for (const auto& flag : flags) {
        const auto kind = flag.substr(0, 2);
        if (kind != "-D" && kind != "-U" && kind != "-I")
            continue;
        auto& list = result[kind == "-I" ? kind : flag.substr(2, flag.find('=') - 2)];
        if (list.empty() || list.back() != flag)
            list.push_back(flag);
    }
    return result;
}

/// What is wrong, or an empty text. Null targets: it has to be refused.
std::string difference(const std::vector<Plan>& plans, const std::vector<std::string>* targets,
                       const std::vector<std::string>* flags) {
    std::set<std::string> got;
    for (const auto& plan : plans) {
        if (plan.verdict == Verdict::deny && plan.reason.find("(rule ") == std::string::npos)
            return "a deny that names no rule: " + plan.reason;
        if (plan.verdict != Verdict::allow)
            continue;
        for (const auto& target : plan.targets)
            got.insert(target.str().substr(3));
        if (targets == nullptr)
            return "allowed: " + plan.target->str();
        std::vector<std::string> of_plan;
        for (const auto& flag : plan.flags)
            of_plan.push_back(flag.value);
        if (std::set(of_plan.begin(), of_plan.end()) != std::set(flags->begin(), flags->end()))
            return fmt::format("flags: {}", paper::flags(plan));
        if (ordered(of_plan) != ordered(*flags))
            return fmt::format("order of flags: {}", paper::flags(plan));
    }
    if (targets != nullptr && got != std::set(targets->begin(), targets->end()))
        return fmt::format("targets: {} ({})", base::join(std::vector(got.begin(), got.end()), " "),
                           plans.front().reason);
    return {};
}

std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

/// Counts, and shows the first differences only.
class Tally {
  public:
    void add(const std::string& what, const std::string& difference) {
        ++compared_;
        if (difference.empty())
            return;
        if (++different_ <= 10)
            MESSAGE(what, ": ", difference);
    }
    std::size_t compared() const { return compared_; }
    std::size_t different() const { return different_; }

  private:
    std::size_t compared_ = 0;
    std::size_t different_ = 0;
};

} // namespace

TEST_CASE("the example answers as FlashInfer does: 6,264 answers") {
    const Example example;
    const auto data = read_json("flashinfer_answers.json");
    Tally tally;
    for (const auto& scenario : data["scenarios"]) {
        const auto archs = scenario["archs"].get<std::vector<std::string>>();
        const auto toolkit = scenario["toolkit"].get<std::string>();
        for (const auto& [name, instance] : data["instances"].items()) {
            const auto plans =
                example.plans(instance["module"], instance["params"], archs, toolkit);
            std::vector<std::string> targets;
            std::vector<std::string> flags;
            bool denied = scenario.value("refused_all", false);
            if (!denied && !(denied = scenario["results"][name].contains("deny"))) {
                const auto& result = scenario["results"][name];
                targets = result["targets"].get<std::vector<std::string>>();
                flags = data["flag_sets"][result["flags"].get<std::size_t>()]
                            .get<std::vector<std::string>>();
            }
            tally.add(fmt::format("{} for {} with {}", name, base::join(archs, ","), toolkit),
                      difference(plans, denied ? nullptr : &targets, &flags));
        }
    }
    // Of the 58 pairs 54 have an answer for each instance, and 4 refuse everything.
    CHECK(tally.compared() == 58 * 116);
    CHECK(tally.different() == 0);
}

TEST_CASE("the example answers as FlashInfer does for other pairs and other parameters") {
    const Example example;
    const auto data = read_json("flashinfer_grid.json");
    Tally tally;
    for (const auto& grid : data["grids"]) {
        for (const auto& group : grid["groups"]) {
            for (const auto& scenario : group["scenarios"]) {
                const auto text = scenario.get<std::string>();
                const auto at = text.find(" @ ");
                const auto archs = words(text.substr(0, at));
                for (std::size_t i = 0; i < grid["instances"].size(); ++i) {
                    const auto& instance = grid["instances"][i];
                    const auto& answer = group["answers"][i];
                    std::vector<std::string> targets;
                    std::vector<std::string> flags;
                    if (!answer.is_null()) {
                        targets = words(answer[0].get<std::string>());
                        flags = data["flag_sets"][answer[1].get<std::size_t>()]
                                    .get<std::vector<std::string>>();
                    }
                    tally.add(fmt::format("{} for {}", instance.dump(), text),
                              difference(example.plans(instance["module"], instance["params"],
                                                       archs, text.substr(at + 3)),
                                         answer.is_null() ? nullptr : &targets, &flags));
                }
            }
        }
    }
    CHECK(tally.compared() == 418 * 116 + 1488);
    CHECK(tally.different() == 0);
}

TEST_CASE("a deny names the first cause and its rule") {
    const Example example;
    const auto plan = [&](const char* module, const char* arch, const char* toolkit) {
        return example.plans(module, Json::object(), {arch}, toolkit).front();
    };
    CHECK(plan("mla", "12.0", "12.8").reason.find("CUDA has since 12.9") != std::string::npos);
    CHECK(plan("mla", "7.0", "13.0").reason.find("7.5 or higher") != std::string::npos);
    const auto gate = plan("mla", "12.0", "13.0");
    CHECK(gate.verdict == Verdict::deny);
    CHECK(gate.reason.find("(rule blackwell-datacenter)") != std::string::npos);
    CHECK(gate.origin.find("flashinfer.policy.yaml:") != std::string::npos);
}

TEST_CASE("a fixed target that the device cannot run is said to be one") {
    const Example example;
    const auto plan = example.plans("gemm_sm90", Json::object(), {"12.0"}, "13.0").front();
    CHECK(plan.verdict == Verdict::allow);
    CHECK(paper::target(plan) == "sm_90a");
    CHECK_FALSE(plan.runs_on_device);
}
