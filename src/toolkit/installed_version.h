// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toolkit/version.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

/// What can be known of an installation's version without running any of it.
namespace kiln::toolkit {

/// The version in a library's file name, `13.0.88` in `libnvrtc.so.13.0.88`, `13.0` in `.so.13`.
std::optional<Version> version_in_name(const std::filesystem::path& library);

/// What `version.json` in the root of NVIDIA's own packages says of a component (`cuda_nvcc`).
std::optional<Version> version_in_manifest(const std::filesystem::path& root,
                                           std::string_view component);

/// The version of a Python wheel (`nvidia_cuda_nvcc-13.0.88.dist-info`,
/// `nvidia_cuda_nvcc_cu12-12.8.93.dist-info`) from the names in a site-packages directory.
/// `component` is `nvcc` or `nvrtc`; `major` leaves out other CUDA majors, 0 takes the newest.
std::optional<Version> version_in_wheels(const std::filesystem::path& site_packages,
                                         std::string_view component, int major);

/// The version of a conda package (`cuda-nvcc-tools-13.0.88-0.json`) from the names in conda-meta.
std::optional<Version> version_in_conda(const std::filesystem::path& prefix,
                                        std::string_view component);

/// What nvcc would print for `--version`, from the constants in its image.
std::optional<Version> version_in_nvcc(const std::filesystem::path& nvcc);

/// The version in the text that `nvcc --version` prints: `V13.0.88`, else `release 13.0`, else the
/// first word that is a version.
std::optional<Version> version_in_text(std::string_view text);

} // namespace kiln::toolkit
