// SPDX-License-Identifier: Apache-2.0
#include "toolkit/discovery.h"
#include "toolkit/toolkit_tree.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace kiln::toolkit;

namespace {

std::vector<std::string> summary(const Discovery& discovery) {
    std::vector<std::string> lines;
    for (const auto& toolkit : discovery.toolkits)
        lines.push_back(toolkit.found_by + " " + toolkit.version.str());
    return lines;
}

/// The outcome of the first place with that path and way.
std::string outcome(const Discovery& discovery, const std::filesystem::path& path,
                    const std::string& found_by) {
    for (const auto& tried : discovery.tried)
        if (tried.path == path && tried.found_by == found_by)
            return tried.outcome;
    return "not tried";
}

} // namespace

TEST_CASE("toolkits are found in the documented order, and none is run") {
    const ToolkitTree tree;
    auto options = tree.options();
    options.wanted = tree.toolkit("wanted", 12, 0);
    options.distribution_prefixes = {tree.toolkit("opt/cuda", 12, 6)};
    options.site_packages = {tree / "site"};
    tree.toolkit("default/cuda", 12, 3);
    tree.toolkit("default/cuda-12.4", 12, 4);
    tree.toolkit("default/cuda-12.10", 12, 10);
    tree.toolkit("default/cuda-notes", 9, 9);
    tree.toolkit("site/nvidia/cu13", 13, 0);
    const auto discovery =
        discover(options, environment({{"CUDA_HOME", tree.toolkit("home", 12, 1)},
                                       {"CUDA_PATH", tree.toolkit("path", 12, 2)},
                                       {"PATH", (tree.toolkit("onpath", 12, 9) / "bin").string()},
                                       {"CONDA_PREFIX", tree.toolkit("env", 12, 7)}}));
    CHECK(summary(discovery) ==
          std::vector<std::string>{"requested 12.0", "CUDA_HOME 12.1", "CUDA_PATH 12.2",
                                   "PATH 12.9", (tree / "default").string() + " 12.3",
                                   (tree / "default").string() + " 12.10",
                                   (tree / "default").string() + " 12.4", "distribution 12.6",
                                   "python wheel 13.0", "conda 12.7"});
    for (const auto& toolkit : discovery.toolkits)
        CHECK_FALSE(std::filesystem::exists(toolkit.root / "ran"));
}

TEST_CASE("each root is found once, and the second way is in the list of places") {
    const ToolkitTree tree;
    const auto root = tree.toolkit("default/cuda-13.0", 13, 0);
    const auto link = tree.link("default/cuda", "cuda-13.0");
    const auto nvcc = tree.link("bin/nvcc", root / "bin/nvcc");
    const auto discovery =
        discover(tree.options(), environment({{"CUDA_HOME", link}, {"PATH", tree / "bin"}}));
    CHECK(summary(discovery) == std::vector<std::string>{"CUDA_HOME 13.0"});
    CHECK(discovery.toolkits[0].root == root);
    CHECK(outcome(discovery, link, "CUDA_HOME") == "CUDA 13.0");
    CHECK(outcome(discovery, root, "PATH") == "CUDA 13.0, already found by CUDA_HOME");
    CHECK(outcome(discovery, root, (tree / "default").string()) ==
          "CUDA 13.0, already found by CUDA_HOME");
}

TEST_CASE("every place says why it is no toolkit") {
    const ToolkitTree tree;
    tree.file("home/readme");
    tree.file("bin/nvcc", "not executable");
    auto options = tree.options();
    options.distribution_prefixes = {tree / "opt/cuda"};
    const auto discovery = discover(options, environment({{"CUDA_HOME", tree / "home"},
                                                          {"CUDA_PATH", "relative/cuda"},
                                                          {"PATH", tree / "bin"}}));
    CHECK(discovery.toolkits.empty());
    CHECK(outcome(discovery, tree / "home", "CUDA_HOME") == "has neither bin/nvcc nor libnvrtc.so");
    CHECK(outcome(discovery, "relative/cuda", "CUDA_PATH") == "is not an absolute path");
    CHECK(outcome(discovery, tree / "bin/nvcc", "PATH") == "is not executable");
    CHECK(outcome(discovery, tree / "default/cuda", (tree / "default").string()) ==
          "does not exist");
    CHECK(outcome(discovery, tree / "opt/cuda", "distribution") ==
          "has neither bin/nvcc nor include/cuda_runtime_api.h");
    CHECK(outcome(discovery, tree / "no-packages", "python wheel") == "has no CUDA wheels");
    CHECK(outcome(discovery, {}, "conda") == "CONDA_PREFIX is not set");
}

TEST_CASE("a wrong CUDA_HOME does not keep the next toolkit from being found") {
    const ToolkitTree tree;
    tree.toolkit("default/cuda", 13, 0);
    const auto discovery = discover(
        tree.options(), environment({{"CUDA_HOME", tree / "absent"}, {"PATH", "/nowhere"}}));
    CHECK(summary(discovery) == std::vector<std::string>{(tree / "default").string() + " 13.0"});
    CHECK(outcome(discovery, tree / "absent", "CUDA_HOME") == "does not exist");
    CHECK(outcome(discovery, {}, "PATH") == "no nvcc in PATH=/nowhere");
}

TEST_CASE("a relative entry of PATH is not looked at") {
    const ToolkitTree tree;
    tree.toolkit("cuda", 13, 0);
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(tree.root());
    const auto discovery =
        discover(tree.options(), environment({{"PATH", "cuda/bin:./cuda/bin:"}}));
    std::filesystem::current_path(before);
    CHECK(discovery.toolkits.empty());
}

TEST_CASE("a wanted path may name nvcc, a directory of Python packages, or a link") {
    const ToolkitTree tree;
    const auto root = tree.toolkit("cuda", 13, 0);
    tree.nvrtc("site/nvidia/cuda_nvrtc/lib", 12, 8);
    auto options = tree.options();
    options.wanted = root / "bin/nvcc";
    CHECK(choose(discover(options, {}), options).root == root);
    options.wanted = tree.link("link", root);
    CHECK(choose(discover(options, {}), options).root == root);
    options.wanted = tree / "site";
    CHECK(choose(discover(options, {}), options).root == tree / "site/nvidia");
}
