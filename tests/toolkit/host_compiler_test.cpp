// SPDX-License-Identifier: Apache-2.0
#include "toolkit/identity.h"
#include "toolkit/toolkit_tree.h"

#include <doctest/doctest.h>

using kiln::toolkit::find_host_compiler;

TEST_CASE("the first g++ on PATH, links resolved, compiler caches passed over") {
    const ToolkitTree tree;
    const auto real = tree.script("real/x86_64-linux-gnu-g++-12", "");
    tree.link("bin/g++", real);
    const auto cache = tree.script("cache/ccache", "");
    tree.link("cachebin/g++", cache);
    tree.file("plain/g++", "not executable");
    const auto path = "relative:" + (tree / "plain").string() + ":" + (tree / "cachebin").string() +
                      ":" + (tree / "bin").string();
    CHECK(find_host_compiler(environment({{"PATH", path}})) == real);
    CHECK(find_host_compiler(environment({{"PATH", tree / "plain"}})).empty());
    CHECK(find_host_compiler({}).empty());
}

TEST_CASE("NVCC_CCBIN goes before PATH: a program, a directory, or a name on PATH") {
    const ToolkitTree tree;
    const auto first = tree.script("first/g++", "");
    const auto other = tree.script("other/g++", "");
    const auto named = tree.script("first/clang++", "");
    const auto path = (tree / "first").string();
    const auto with = [&](const std::string& chosen) {
        return find_host_compiler(environment({{"PATH", path}, {"NVCC_CCBIN", chosen}}));
    };
    CHECK(with(other) == other);
    CHECK(with(other.parent_path()) == other);
    CHECK(with("clang++") == named);
    CHECK(with(tree / "absent").empty());
    CHECK(find_host_compiler(environment({{"PATH", path}})) == first);
}
