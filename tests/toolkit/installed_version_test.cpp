// SPDX-License-Identifier: Apache-2.0
#include "toolkit/installed_version.h"
#include "toolkit/toolkit_tree.h"

#include <doctest/doctest.h>

using namespace kiln::toolkit;

TEST_CASE("the version in a library's name") {
    CHECK(version_in_name("/x/libnvrtc.so.13") == Version{13, 0, 0});
    CHECK(version_in_name("/x/libnvrtc.so.12.8.93") == Version{12, 8, 93});
    CHECK(version_in_name("/x/libnvrtc-builtins.so.13.0") == Version{13, 0, 0});
    CHECK_FALSE(version_in_name("/x/libnvrtc.so"));
    CHECK_FALSE(version_in_name("/x.so.12/libnvrtc"));
    CHECK_FALSE(version_in_name(""));
}

TEST_CASE("the version in version.json") {
    const ToolkitTree tree;
    CHECK_FALSE(version_in_manifest(tree.root(), "cuda_nvcc"));
    tree.file("version.json", R"({"cuda": {"version": "13.0.2"},
                                  "cuda_nvcc": {"name": "CUDA NVCC", "version": "13.0.88"}})");
    CHECK(version_in_manifest(tree.root(), "cuda_nvcc") == Version{13, 0, 88});
    CHECK_FALSE(version_in_manifest(tree.root(), "cuda_nvrtc"));
    for (const char* damaged :
         {"", "{", "[]", "null", R"({"cuda_nvcc": "13.0"})", R"({"cuda_nvcc": {}})",
          R"({"cuda_nvcc": {"version": 13}})", R"({"cuda_nvcc": {"version": "new"}})"}) {
        CAPTURE(damaged);
        tree.file("version.json", damaged);
        CHECK_FALSE(version_in_manifest(tree.root(), "cuda_nvcc"));
    }
}

TEST_CASE("the version in the names of wheels") {
    const ToolkitTree tree;
    for (const char* name :
         {"nvidia_cuda_nvcc_cu12-12.8.93.dist-info", "nvidia_cuda_nvcc-13.0.88.dist-info",
          "nvidia_cuda_nvcc-13.1.dist", "nvidia_cuda_nvcc_extra-14.0.1.dist-info",
          "nvidia_cuda_nvrtc_cu11-11.8.89.dist-info"})
        tree.file(std::filesystem::path(name) / "METADATA");
    CHECK(version_in_wheels(tree.root(), "nvcc", 0) == Version{13, 0, 88});
    CHECK(version_in_wheels(tree.root(), "nvcc", 12) == Version{12, 8, 93});
    CHECK(version_in_wheels(tree.root(), "nvrtc", 0) == Version{11, 8, 89});
    CHECK_FALSE(version_in_wheels(tree.root(), "nvrtc", 13));
    CHECK_FALSE(version_in_wheels(tree / "absent", "nvcc", 0));
}

TEST_CASE("the version in the names of conda packages") {
    const ToolkitTree tree;
    tree.file("conda-meta/cuda-nvcc_linux-64-12.9.86-h2e2a08c_4.json");
    tree.file("conda-meta/cuda-nvcc-tools-12.9.86-he02047a_4.json");
    tree.file("conda-meta/cuda-version-12.9-h4f385c5_3.json");
    CHECK(version_in_conda(tree.root(), "nvcc") == Version{12, 9, 86});
    CHECK_FALSE(version_in_conda(tree.root(), "nvrtc"));
}

TEST_CASE("the version in what nvcc prints") {
    CHECK(version_in_text("nvcc: NVIDIA (R) Cuda compiler driver\n"
                          "Copyright (c) 2005-2025 NVIDIA Corporation\n"
                          "Built on Wed_Aug_20_01:58:59_PM_PDT_2025\n"
                          "Cuda compilation tools, release 13.0, V13.0.88\n"
                          "Build cuda_13.0.r13.0/compiler.36424714_0\n") == Version{13, 0, 88});
    CHECK(version_in_text("Cuda compilation tools, release 11.5") == Version{11, 5, 0});
    CHECK(version_in_text("nvcc 11.5\n") == Version{11, 5, 0});
    CHECK_FALSE(version_in_text("Copyright 2005"));
    CHECK_FALSE(version_in_text(""));
}

TEST_CASE("nothing is made of an nvcc that is a script or absent") {
    const ToolkitTree tree;
    CHECK_FALSE(version_in_nvcc(tree.script("bin/nvcc", "echo release 11.5")));
    CHECK_FALSE(version_in_nvcc(tree / "absent"));
}
