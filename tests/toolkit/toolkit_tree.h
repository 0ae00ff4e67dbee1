// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"
#include "base/temporary_directory.h"
#include "toolkit/discovery.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

/// Made-up installations in a fresh directory.
class ToolkitTree {
  public:
    using Path = std::filesystem::path;

    /// Links resolved, as discovery reports paths.
    Path root() const { return std::filesystem::canonical(directory_.path()); }
    Path operator/(const Path& relative) const { return root() / relative; }

    Path file(const Path& relative, std::string_view contents = "x") const {
        const Path path = root() / relative;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << contents;
        return path;
    }

    /// An executable shell script.
    Path script(const Path& relative, std::string_view body) const {
        const Path path = file(relative, "#!/bin/sh\n" + std::string(body) + "\n");
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        return path;
    }

    Path link(const Path& relative, const Path& target) const {
        const Path path = root() / relative;
        std::filesystem::create_directories(path.parent_path());
        std::filesystem::create_symlink(target, path);
        return path;
    }

    /// `include` with the version macro: 12080 for 12.8.
    void headers(const Path& include, int number) const {
        file(include / "cuda_runtime_api.h",
             "/* text */\n#define CUDART_VERSION  " + std::to_string(number) + "\n");
        file(include / "cuda_fp16.h");
    }

    /// `libnvrtc.so.13` and `libnvrtc-builtins.so.13.0` for 13, 0.
    void nvrtc(const Path& library, int major, int minor) const {
        file(library / ("libnvrtc.so." + std::to_string(major)));
        file(library /
             ("libnvrtc-builtins.so." + std::to_string(major) + "." + std::to_string(minor)));
    }

    /// A whole installation as NVIDIA's packages lay it. Its nvcc leaves a file `ran` if it is run.
    Path toolkit(const Path& relative, int major, int minor) const {
        const Path root = this->root() / relative;
        headers(relative / "include", major * 1000 + minor * 10);
        nvrtc(relative / "lib64", major, minor);
        for (const char* part : {"bin/cudafe++", "bin/ptxas", "bin/fatbinary", "bin/nvcc.profile",
                                 "nvvm/bin/cicc", "nvvm/libdevice/libdevice.10.bc"})
            file(relative / part, part);
        script(relative / "bin/nvcc", "touch '" + (root / "ran").string() + "'");
        return root;
    }

    /// Discovery that sees nothing of this machine.
    kiln::toolkit::DiscoveryOptions options() const {
        kiln::toolkit::DiscoveryOptions options;
        options.default_prefix = root() / "default/cuda";
        options.distribution_prefixes.clear();
        options.site_packages = {root() / "no-packages"};
        return options;
    }

  private:
    kiln::base::TemporaryDirectory directory_{"kiln-toolkit-"};
};

inline std::string contents_of(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

inline kiln::base::Environment
environment(std::initializer_list<std::pair<std::string, std::string>> variables) {
    kiln::base::Environment result;
    for (const auto& [name, value] : variables)
        result.set(name, value);
    return result;
}
