// SPDX-License-Identifier: Apache-2.0
#include "toolkit/layout.h"
#include "toolkit/toolkit_tree.h"
#include "toolkit/version_check.h"

#include <doctest/doctest.h>

#include <vector>

using namespace kiln::toolkit;
using Directories = std::vector<std::filesystem::path>;

TEST_CASE("the headers' version is that of the first on the path") {
    const ToolkitTree tree;
    tree.headers("old", 12000);
    tree.headers("new", 13000);
    tree.file("driver/cuda.h", "#ifndef X\n#  define CUDA_VERSION 12080 /* 12.8 */\n#endif\n");
    const auto found =
        find_header_version(Directories{tree / "absent", tree / "old", tree / "new"});
    REQUIRE(found);
    CHECK(found->version == Version{12, 0, 0});
    CHECK(found->file == tree / "old/cuda_runtime_api.h");
    CHECK(find_header_version(Directories{tree / "driver", tree / "new"})->version ==
          Version{13, 0, 0});
    CHECK(find_header_version(Directories{tree / "driver"})->version == Version{12, 8, 0});
    CHECK_FALSE(find_header_version(Directories{tree / "absent"}));
    CHECK_FALSE(find_header_version(Directories{}));
}

TEST_CASE("a header that says no version does not pass the question on") {
    const ToolkitTree tree;
    tree.headers("new", 13000);
    for (const char* text : {"", "#define CUDART_VERSION\n", "#define CUDART_VERSION x\n",
                             "#define CUDART_VERSION_X 12000\n", "#define CUDART_VERSION 12\n"}) {
        CAPTURE(text);
        tree.file("odd/cuda_runtime_api.h", text);
        CHECK_FALSE(find_header_version(Directories{tree / "odd", tree / "new"}));
    }
}

TEST_CASE("older headers before a toolkit's own are a mismatch that names both files") {
    const ToolkitTree tree;
    const auto root = tree.toolkit("cuda", 13, 0);
    tree.headers("oldinc", 12000);
    const auto toolkit = look_at_root(root, "test").toolkit.value();
    CHECK_FALSE(header_mismatch(toolkit));

    Directories path{tree / "oldinc"};
    path.insert(path.end(), toolkit.include_directories.begin(), toolkit.include_directories.end());
    const auto mismatch = header_mismatch(toolkit, path);
    REQUIRE(mismatch);
    CHECK(*mismatch == (root / "lib64/libnvrtc.so.13").string() +
                           " is of CUDA 13.0, but the headers found first, " +
                           (tree / "oldinc/cuda_runtime_api.h").string() + ", are of CUDA 12.0");
}

TEST_CASE("an nvcc of another release than the headers is a mismatch") {
    const ToolkitTree tree;
    const auto root = tree.toolkit("cuda", 12, 8);
    std::filesystem::remove_all(root / "lib64");
    tree.file("cuda/version.json", R"({"cuda_nvcc": {"version": "12.9.86"}})");
    const auto mismatch = header_mismatch(look_at_root(root, "test").toolkit.value());
    REQUIRE(mismatch);
    CHECK(contains(*mismatch, (root / "bin/nvcc").string() + " is of CUDA 12.9"));
}

TEST_CASE("where there are no headers nothing contradicts") {
    const ToolkitTree tree;
    tree.nvrtc("wheel/lib64", 12, 9);
    const auto look = look_at_root(tree / "wheel", "test");
    REQUIRE(look.toolkit);
    CHECK_FALSE(header_mismatch(*look.toolkit));
}
