// SPDX-License-Identifier: Apache-2.0
#include "toolkit/layout.h"
#include "toolkit/toolkit_tree.h"

#include <doctest/doctest.h>

#include <vector>

using namespace kiln::toolkit;
using Directories = std::vector<std::filesystem::path>;

TEST_CASE("the parts of a toolkit of NVIDIA's own packages") {
    const ToolkitTree tree;
    const auto root = tree.toolkit("cuda", 13, 0);
    tree.file("cuda/include/cccl/cuda/std/utility");
    tree.file("cuda/version.json", R"({"cuda_nvcc": {"version": "13.0.88"}})");
    const auto look = look_at_root(root, "CUDA_HOME");
    REQUIRE(look.toolkit);
    CHECK(look.outcome == "CUDA 13.0.88");
    CHECK(look.toolkit->root == root);
    CHECK(look.toolkit->version == Version{13, 0, 88});
    CHECK(look.toolkit->nvcc == root / "bin/nvcc");
    CHECK(look.toolkit->nvrtc == root / "lib64/libnvrtc.so.13");
    CHECK(look.toolkit->builtins == root / "lib64/libnvrtc-builtins.so.13.0");
    CHECK(look.toolkit->include_directories ==
          Directories{root / "include/cccl", root / "include"});
    CHECK(look.toolkit->found_by == "CUDA_HOME");
    CHECK_FALSE(std::filesystem::exists(root / "ran"));
}

TEST_CASE("before CUDA 13 CCCL lies in include itself") {
    const ToolkitTree tree;
    const auto root = tree.toolkit("cuda", 12, 8);
    const auto toolkit = look_at_root(root, "test").toolkit.value();
    CHECK(toolkit.include_directories == Directories{root / "include"});
    CHECK(toolkit.version == Version{12, 8, 0});
}

TEST_CASE("libraries and headers below targets, as in conda and cross packages") {
#if defined(__x86_64__)
    const ToolkitTree tree;
    tree.nvrtc("env/targets/x86_64-linux/lib", 12, 9);
    tree.headers("env/targets/x86_64-linux/include", 12090);
    tree.file("env/conda-meta/cuda-nvrtc-12.9.86-h5888daf_0.json");
    const auto toolkit = look_at_root(tree / "env", "conda").toolkit.value();
    CHECK(toolkit.nvrtc == tree / "env/targets/x86_64-linux/lib/libnvrtc.so.12");
    CHECK(toolkit.include_directories == Directories{tree / "env/targets/x86_64-linux/include"});
    CHECK(toolkit.version == Version{12, 9, 86});
#endif
}

TEST_CASE("links are resolved, and an alt library is never taken") {
    const ToolkitTree tree;
    tree.file("root/lib/libnvrtc.so.13.0.88");
    tree.link("root/lib/libnvrtc.so.13", "libnvrtc.so.13.0.88");
    tree.link("root/lib/libnvrtc.so", "libnvrtc.so.13");
    tree.file("root/lib/libnvrtc-builtins.so.13.0.88");
    tree.link("root/lib/libnvrtc-builtins.so.13.0", "libnvrtc-builtins.so.13.0.88");
    tree.file("root/lib/libnvrtc.alt.so.99");
    tree.file("root/lib/libnvrtc-builtins.alt.so.99.0");
    const auto pair = find_nvrtc({tree / "root/lib"}, std::nullopt);
    CHECK(pair.nvrtc == tree / "root/lib/libnvrtc.so.13.0.88");
    CHECK(pair.builtins == tree / "root/lib/libnvrtc-builtins.so.13.0.88");

    tree.file("alone/lib/libnvrtc.alt.so.13");
    CHECK(find_nvrtc({tree / "alone/lib"}, std::nullopt).nvrtc.empty());
}

TEST_CASE("among several NVRTCs the one of the toolkit's major, with the builtins that fit") {
    const ToolkitTree tree;
    tree.file("lib/libnvrtc.so.11.2");
    tree.file("lib/libnvrtc-builtins.so.11.7");
    tree.file("lib/libnvrtc-builtins.so.11.8");
    tree.nvrtc("lib", 12, 0);
    tree.file("lib/libnvrtc-builtins.so.12.8");
    const Directories library{tree / "lib"};
    CHECK(find_nvrtc(library, Version{11, 7, 0}).nvrtc == tree / "lib/libnvrtc.so.11.2");
    CHECK(find_nvrtc(library, Version{11, 7, 0}).builtins ==
          tree / "lib/libnvrtc-builtins.so.11.7");
    CHECK(find_nvrtc(library, Version{12, 8, 0}).nvrtc == tree / "lib/libnvrtc.so.12");
    CHECK(find_nvrtc(library, Version{12, 8, 0}).builtins ==
          tree / "lib/libnvrtc-builtins.so.12.8");
    CHECK(find_nvrtc(library, std::nullopt).nvrtc == tree / "lib/libnvrtc.so.12");
    CHECK(find_nvrtc(library, Version{13, 0, 0}).nvrtc.empty());
}

TEST_CASE("an NVRTC of another major than nvcc is not of this toolkit") {
    const ToolkitTree tree;
    const auto root = tree.toolkit("cuda", 13, 0);
    std::filesystem::remove_all(root / "lib64");
    tree.nvrtc("cuda/lib64", 12, 8);
    const auto look = look_at_root(root, "test");
    REQUIRE(look.toolkit);
    CHECK(look.toolkit->nvrtc.empty());
    CHECK(look.outcome == "CUDA 13.0, without NVRTC");
}

TEST_CASE("NVRTC alone is a toolkit, and so is nvcc alone") {
    const ToolkitTree tree;
    tree.nvrtc("nvrtc/lib", 12, 9);
    const auto nvrtc = look_at_root(tree / "nvrtc", "test");
    REQUIRE(nvrtc.toolkit);
    CHECK(nvrtc.toolkit->version == Version{12, 9, 0});
    CHECK(nvrtc.outcome == "CUDA 12.9, without nvcc");
    const auto root = tree.toolkit("nvcc", 12, 9);
    std::filesystem::remove_all(root / "lib64");
    CHECK(look_at_root(root, "test").outcome == "CUDA 12.9, without NVRTC");
}

TEST_CASE("a directory with headers alone is no toolkit") {
    const ToolkitTree tree;
    tree.headers("headers/include", 13000);
    const auto look = look_at_root(tree / "headers", "test");
    CHECK_FALSE(look.toolkit);
    CHECK(look.outcome == "has neither bin/nvcc nor libnvrtc.so");
}

TEST_CASE("missing builtins leave their path empty") {
    const ToolkitTree tree;
    tree.file("root/lib/libnvrtc.so.13");
    tree.headers("root/include", 13000);
    const auto toolkit = look_at_root(tree / "root", "test").toolkit.value();
    CHECK(toolkit.nvrtc == tree / "root/lib/libnvrtc.so.13");
    CHECK(toolkit.builtins.empty());
}

TEST_CASE("Debian's layout: a script in bin, the parts in a directory of their own") {
    const ToolkitTree tree;
    tree.script("usr/bin/nvcc", "exit 1");
    const auto nvcc = tree.script("usr/lib/nvidia-cuda-toolkit/bin/nvcc", "exit 1");
    tree.file("usr/lib/nvidia-cuda-toolkit/bin/nvcc.profile");
    tree.headers("usr/include", 11080);
    const auto toolkit = look_at_root(tree / "usr", "distribution").toolkit.value();
    CHECK(toolkit.nvcc == nvcc);
    CHECK(toolkit.version == Version{11, 8, 0});
    CHECK(toolkit.include_directories == Directories{tree / "usr/include"});
}

TEST_CASE("an nvcc without its own parts is told apart, whatever else lies in the prefix") {
    const ToolkitTree tree;
    const auto nvcc = tree.script("shared/bin/nvcc", "exit 1");
    tree.headers("shared/include", 13000);
    tree.nvrtc("shared/lib", 13, 0);
    tree.file("shared/nvvm/bin/cicc");
    const auto look = look_at_root(tree / "shared", "PATH");
    CHECK_FALSE(look.toolkit);
    CHECK(look.bare_nvcc == nvcc);
    const auto told = look_at_root(tree / "shared", "PATH", Version{13, 1, 0}).toolkit.value();
    CHECK(told.version == Version{13, 1, 0});
    CHECK(told.nvcc == nvcc);
}
