// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "policy/paper.h"

#include <doctest/doctest.h>

#include <chrono>

namespace policy = kiln::policy;
using policy::Document;
using policy::Layer;

namespace {

Document document(Layer layer, const char* name, const std::string& set) {
    return {layer, name, "policy: 1\nrules:\n  - set: " + set + "\n"};
}

} // namespace

TEST_CASE("a later layer wins a single value, in whatever order the files are given") {
    const std::vector<Layer> layers{Layer::library, Layer::system,      Layer::user,
                                    Layer::project, Layer::environment, Layer::command_line};
    for (std::size_t strongest = 0; strongest < layers.size(); ++strongest) {
        std::vector<Document> documents;
        for (std::size_t i = 0; i <= strongest; ++i) {
            const std::string name = std::string(policy::to_string(layers[i])) + ".yaml";
            documents.insert(
                documents.begin(),
                document(layers[i], name.c_str(), "{time_limit: " + std::to_string(i + 1) + "s}"));
        }
        const auto loaded = policy::Policy::load(documents);
        const auto resolution =
            paper::resolve(loaded, paper::module("m"), "9.0", paper::cuda_13_0());
        CHECK(resolution.time_limit == std::chrono::seconds(strongest + 1));
    }
}

TEST_CASE("within a layer the later file wins, within a file the later rule") {
    const std::vector<Document> documents{
        document(Layer::user, "a.yaml", "{targets: [plain]}"),
        {Layer::user, "b.yaml",
         std::string("policy: 1\nrules:\n  - set: {targets: [f]}\n  - set: {targets: [a]}\n")}};
    const auto plan = paper::plan(policy::Policy::load(documents), "12.0");
    CHECK(paper::target(plan) == "sm_120a");
    CHECK(plan.target_origin == "b.yaml:4");
    std::vector<std::string> lost;
    for (const auto& rule : plan.rules) {
        if (rule.effect.starts_with("set targets") && !rule.applied) {
            lost.push_back(rule.effect + " " + rule.reason);
        }
    }
    CHECK(lost == std::vector<std::string>{
                      "set targets: [plain] b.yaml:4 counts", // built in, for everything
                      "set targets: [f, a, plain] b.yaml:4 counts",
                      "set targets: [plain] b.yaml:4 counts", // a.yaml
                      "set targets: [f] b.yaml:4 counts"});
    CHECK(paper::note(plan, "set targets: [a]").applied);
}

TEST_CASE("a weaker rule that is alone with its setting still counts") {
    const auto plan = paper::plan(paper::policy("policy: 1\nrules:\n"
                                                "  - set: {language: c++20}\n"
                                                "  - match: {module: other}\n"
                                                "    set: {language: c++14}\n"),
                                  "9.0");
    CHECK(paper::flags(plan) == "-std=c++20");
    CHECK(paper::note(plan, "set language: c++17").reason == "a stronger one counts");
    CHECK_FALSE(paper::note(plan, "set language: c++17").applied);
    CHECK(paper::note(plan, "set language: c++20").applied);
    CHECK(paper::note(plan, "set language: c++14").effect.empty());
}

TEST_CASE("a module's own settings stand between library and system") {
    auto module = paper::module("m");
    module.language = "c++20";
    module.backends = {"nvcc"};
    const auto from_module =
        paper::resolve(paper::built_in(), module, "9.0", paper::cuda_13_0()).plan;
    CHECK(paper::flags(from_module) == "-std=c++20");
    CHECK(from_module.flags[0].origin == "catalog.yaml:3");
    CHECK(from_module.backend == kiln::Backend::nvcc);
    CHECK(from_module.backend_origin == "catalog.yaml:3");
    // What it overrules is named.
    CHECK_FALSE(paper::note(from_module, "set backends: [nvrtc, nvcc]").applied);
    CHECK(paper::note(from_module, "set backends: [nvrtc, nvcc]").reason ==
          "catalog.yaml:3 counts");
    CHECK(paper::note(from_module, "set language: c++20").name == "module m");

    const auto set = "policy: 1\nrules:\n  - set: {language: c++14, backends: [nvrtc]}\n";
    const auto library = paper::policy(set, Layer::library);
    CHECK(paper::flags(paper::resolve(library, module, "9.0", paper::cuda_13_0()).plan) ==
          "-std=c++20");
    const auto user = paper::policy(set, Layer::user);
    const auto from_user = paper::resolve(user, module, "9.0", paper::cuda_13_0()).plan;
    CHECK(paper::flags(from_user) == "-std=c++14");
    CHECK(from_user.backend == kiln::Backend::nvrtc);
}

TEST_CASE("what a request says for its own source is stronger than every file") {
    kiln::catalog::Module module;
    module.name = "x.cu";
    module.origin = {"request", 0, 0};
    module.options = {{"-std=c++20", {"request", 0, 0}}};
    const auto user =
        paper::policy("policy: 1\nrules:\n  - set: {language: c++14}\n", Layer::command_line);
    const auto plan = paper::resolve(user, module, "9.0", paper::cuda_13_0()).plan;
    CHECK(paper::flags(plan) == "-std=c++20");
    CHECK(plan.flags[0].origin == "request");
}
