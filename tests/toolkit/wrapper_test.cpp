// SPDX-License-Identifier: Apache-2.0
#include "toolkit/discovery.h"
#include "toolkit/nvcc_wrapper.h"
#include "toolkit/toolkit_tree.h"

#include <doctest/doctest.h>

using namespace kiln::toolkit;

namespace {

/// A wrapper's PATH needs the programs that the script itself uses.
kiln::base::Environment with_path(const std::filesystem::path& directory) {
    return environment({{"PATH", directory.string() + ":/usr/bin:/bin"}});
}

constexpr const char* says_11_5 =
    "case \"$1\" in --version) echo 'Cuda compilation tools, release 11.5, V11.5.119';; "
    "*) exit 1;; esac";

} // namespace

TEST_CASE("an nvcc with no toolkit around it is asked for its version") {
    const ToolkitTree tree;
    const auto nvcc = tree.script("site/bin/nvcc", says_11_5);
    const auto real = tree.toolkit("default/cuda", 13, 0);
    const auto discovery = discover(tree.options(), with_path(tree / "site/bin"));
    REQUIRE(discovery.toolkits.size() >= 2);
    const auto& wrapper = discovery.toolkits[0];
    CHECK(wrapper.version == Version{11, 5, 119});
    CHECK(wrapper.nvcc == nvcc);
    CHECK(wrapper.nvrtc.empty());
    CHECK(wrapper.root == tree / "site");
    CHECK(discovery.toolkits[1].root == real);
}

TEST_CASE("a wrapper of a toolkit stands for that toolkit") {
    const ToolkitTree tree;
    const auto real = tree.toolkit("cuda", 12, 8);
    tree.script(
        "site/bin/nvcc",
        "case \"$1\" in --version) echo 'release 12.8, V12.8.93';; --dryrun) echo '#$ TOP=" +
            (real / "bin/..").string() + "' >&2;; esac");
    const auto discovery = discover(tree.options(), with_path(tree / "site/bin"));
    REQUIRE(discovery.toolkits.size() >= 1);
    CHECK(discovery.toolkits[0].root == real);
    CHECK(discovery.toolkits[0].nvcc == real / "bin/nvcc");
    CHECK(discovery.toolkits[0].found_by == "PATH");
}

TEST_CASE("a wrapper that says another version than its toolkit is a toolkit of its own") {
    const ToolkitTree tree;
    const auto real = tree.toolkit("cuda", 13, 0);
    const auto nvcc = tree.script("site/bin/nvcc", "case \"$1\" in --version) echo release 12.8;; "
                                                   "--dryrun) echo '#$ TOP=" +
                                                       real.string() + "' >&2;; esac");
    const auto discovery = discover(tree.options(), with_path(tree / "site/bin"));
    REQUIRE(discovery.toolkits.size() >= 1);
    CHECK(discovery.toolkits[0].nvcc == nvcc);
    CHECK(discovery.toolkits[0].version == Version{12, 8, 0});
}

TEST_CASE("a wrapper is not asked where a toolkit comes before it, unless a version is wanted") {
    const ToolkitTree tree;
    const auto marker = (tree / "asked").string();
    const auto nvcc = tree.script("site/bin/nvcc", "touch '" + marker + "'; echo release 12.8");
    tree.toolkit("home", 13, 0);
    auto variables = with_path(tree / "site/bin");
    variables.set("CUDA_HOME", tree / "home");
    auto options = tree.options();
    CHECK(discover(options, variables).toolkits.size() == 1);
    CHECK_FALSE(std::filesystem::exists(marker));
    options.wanted = "12.8";
    CHECK(choose(discover(options, variables), options).nvcc == nvcc);
}

TEST_CASE("a link to a compiler cache is asked by the link's own name") {
    const ToolkitTree tree;
    const auto real = tree.toolkit("cuda", 12, 8);
    tree.script("cache/ccache", "case \"$(basename \"$0\") $1\" in 'nvcc --version') echo 'release "
                                "12.8';; 'nvcc --dryrun') echo '#$ TOP=" +
                                    real.string() + "' >&2;; *) exit 1;; esac");
    tree.link("cache/bin/nvcc", tree / "cache/ccache");
    const auto discovery = discover(tree.options(), with_path(tree / "cache/bin"));
    REQUIRE(discovery.toolkits.size() >= 1);
    CHECK(discovery.toolkits[0].root == real);
}

TEST_CASE("a wrapper that says no version is told as such") {
    const ToolkitTree tree;
    CHECK(ask_wrapper(tree.script("a/nvcc", "exit 1"), {}).trouble ==
          "an nvcc that answers --version without one");
    CHECK(ask_wrapper(tree.script("b/nvcc", "echo hello"), {}).trouble ==
          "an nvcc that answers --version without one");
    CHECK(contains(ask_wrapper(tree / "absent/nvcc", {}).trouble, "an nvcc that cannot be run"));
    CHECK_FALSE(ask_wrapper(tree.script("c/nvcc", "echo 12.8; exit 3"), {}).version);

    const auto nvcc = tree.script("site/bin/nvcc", "exit 1");
    const auto discovery = discover(tree.options(), with_path(tree / "site/bin"));
    bool told = false;
    for (const auto& tried : discovery.tried)
        told = told || (tried.path == nvcc &&
                        tried.outcome == "an nvcc that answers --version without one");
    CHECK(told);
}
