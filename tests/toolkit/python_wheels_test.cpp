// SPDX-License-Identifier: Apache-2.0
#include "toolkit/python_wheels.h"
#include "toolkit/toolkit_tree.h"

#include <doctest/doctest.h>

#include <vector>

using namespace kiln::toolkit;
using Directories = std::vector<std::filesystem::path>;

TEST_CASE("wheels with one directory for a CUDA major, newest first") {
    const ToolkitTree tree;
    tree.toolkit("site/nvidia/cu13", 13, 0);
    tree.toolkit("site/nvidia/cu14", 14, 1);
    tree.file("site/nvidia/cublas/lib/libcublas.so.12");
    tree.file("site/nvidia_cuda_nvcc-13.0.88.dist-info/METADATA");
    const auto looks = look_at_wheels(tree / "site");
    REQUIRE(looks.size() == 2);
    CHECK(looks[0].root == tree / "site/nvidia/cu14");
    CHECK(looks[0].look.toolkit->version == Version{14, 1, 0});
    CHECK(looks[1].look.toolkit->version == Version{13, 0, 88});
    CHECK(looks[1].look.toolkit->found_by == "python wheel");
}

TEST_CASE("wheels with one directory for a component make one toolkit") {
    const ToolkitTree tree;
    tree.nvrtc("site/nvidia/cuda_nvrtc/lib", 12, 8);
    tree.file("site/nvidia/cuda_nvrtc/lib/libnvrtc.alt.so.12");
    tree.headers("site/nvidia/cuda_runtime/include", 12080);
    tree.file("site/nvidia/cuda_cccl/include/cuda/std/utility");
    tree.file("site/nvidia/cuda_nvcc/bin/ptxas");
    tree.file("site/nvidia/cuda_nvcc/include/crt/host_defines.h");
    tree.file("site/nvidia_cuda_nvrtc_cu12-12.8.93.dist-info/METADATA");
    const auto nvidia = tree / "site/nvidia";
    const auto looks = look_at_wheels(tree / "site");
    REQUIRE(looks.size() == 1);
    REQUIRE(looks[0].look.toolkit);
    const auto& toolkit = *looks[0].look.toolkit;
    CHECK(toolkit.root == nvidia);
    CHECK(toolkit.version == Version{12, 8, 93});
    CHECK(toolkit.nvcc.empty());
    CHECK(toolkit.nvrtc == nvidia / "cuda_nvrtc/lib/libnvrtc.so.12");
    CHECK(toolkit.builtins == nvidia / "cuda_nvrtc/lib/libnvrtc-builtins.so.12.8");
    CHECK(toolkit.include_directories == Directories{nvidia / "cuda_cccl/include",
                                                     nvidia / "cuda_runtime/include",
                                                     nvidia / "cuda_nvcc/include"});

    tree.script("site/nvidia/cuda_nvcc/bin/nvcc", "exit 1");
    tree.file("site/nvidia_cuda_nvcc_cu12-12.8.61.dist-info/METADATA");
    const auto with_nvcc = look_at_wheels(tree / "site").front().look.toolkit.value();
    CHECK(with_nvcc.nvcc == nvidia / "cuda_nvcc/bin/nvcc");
    CHECK(with_nvcc.version == Version{12, 8, 61});
}

TEST_CASE("packages without CUDA are passed over") {
    const ToolkitTree tree;
    tree.file("site/nvidia/nccl/lib/libnccl.so.2");
    CHECK(look_at_wheels(tree / "site").empty());
    CHECK(look_at_wheels(tree / "absent").empty());
}

TEST_CASE("site-packages of the virtual environment, of python3 on PATH, and of the user") {
    const ToolkitTree tree;
    tree.file("venv/lib/python3.11/site-packages/x.py");
    tree.file("python/lib/python3.12/site-packages/x.py");
    tree.file("python/lib/python3/dist-packages/x.py");
    tree.file("python/lib/python2.7/site-packages/x.py");
    tree.script("python/bin/python3", "touch '" + (tree / "ran").string() + "'");
    tree.file("home/.local/lib/python3.12/site-packages/x.py");
    const auto found =
        site_packages_of(environment({{"VIRTUAL_ENV", tree / "venv"},
                                      {"PATH", "bin:" + (tree / "python/bin").string()},
                                      {"HOME", tree / "home"}}));
    CHECK(found == Directories{tree / "venv/lib/python3.11/site-packages",
                               tree / "python/lib/python3/dist-packages",
                               tree / "python/lib/python3.12/site-packages",
                               tree / "home/.local/lib/python3.12/site-packages"});
    CHECK_FALSE(std::filesystem::exists(tree / "ran"));
    CHECK(site_packages_of({}).empty());
}

TEST_CASE("a virtual environment that is only on PATH is found beside the link in it") {
    const ToolkitTree tree;
    tree.script("python/bin/python3.12", "exit 0");
    tree.file("python/lib/python3.12/site-packages/x.py");
    tree.link("venv/bin/python3", tree / "python/bin/python3.12");
    tree.file("venv/lib/python3.12/site-packages/x.py");
    CHECK(site_packages_of(environment({{"PATH", (tree / "venv/bin").string()}})) ==
          Directories{tree / "venv/lib/python3.12/site-packages",
                      tree / "python/lib/python3.12/site-packages"});
}
