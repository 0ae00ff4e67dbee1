// SPDX-License-Identifier: Apache-2.0
#include "toolkit/python_wheels.h"

#include "base/file_system.h"
#include "base/text.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

namespace kiln::toolkit {
namespace {

namespace fs = std::filesystem;

constexpr const char* wheel = "python wheel";

std::vector<std::string> names_in(const fs::path& directory) {
    std::error_code error;
    return base::real_file_system().list(directory, error);
}

void add(std::vector<fs::path>& found, const fs::path& directory) {
    std::error_code error;
    auto resolved = fs::canonical(directory, error);
    if (!error && fs::is_directory(resolved, error) &&
        std::find(found.begin(), found.end(), resolved) == found.end())
        found.push_back(std::move(resolved));
}

/// `lib/python3.11/site-packages` and its variants below a prefix; Debian says dist-packages.
void add_prefix(std::vector<fs::path>& found, const fs::path& prefix) {
    for (const char* library : {"lib", "lib64"})
        for (const auto& name : names_in(prefix / library))
            if (name.starts_with("python3"))
                for (const char* packages : {"site-packages", "dist-packages"})
                    add(found, prefix / library / name / packages);
}

/// The first python3 in an absolute directory of PATH.
fs::path python_on_path(const base::Environment& environment) {
    const auto path = environment.get("PATH").value_or("");
    for (const auto directory : base::split(path, ':')) {
        auto candidate = fs::path(directory) / "python3";
        if (candidate.is_absolute() && ::access(candidate.c_str(), X_OK) == 0)
            return candidate;
    }
    return {};
}

} // namespace

std::vector<fs::path> site_packages_of(const base::Environment& environment) {
    std::vector<fs::path> found;
    if (const auto venv = environment.get("VIRTUAL_ENV"))
        add_prefix(found, *venv);
    if (const auto python = python_on_path(environment); !python.empty()) {
        // In a virtual environment python3 is a link out of it, so the link's own place is first.
        add_prefix(found, python.parent_path().parent_path());
        std::error_code error;
        const auto prefix = fs::canonical(python, error).parent_path().parent_path();
        if (!error) {
            add_prefix(found, prefix);
            if (prefix == "/usr")
                add_prefix(found, "/usr/local");
        }
    }
    if (const auto home = environment.get("HOME"))
        add_prefix(found, fs::path(*home) / ".local");
    return found;
}

std::vector<WheelLook> look_at_wheels(const fs::path& site_packages) {
    std::vector<WheelLook> found;
    const auto nvidia = site_packages / "nvidia";
    std::vector<std::pair<Version, fs::path>> roots;
    bool components = false;
    for (const auto& name : names_in(nvidia)) {
        components = components || name == "cuda_nvrtc" || name == "cuda_nvcc";
        const auto version = name.starts_with("cu")
                                 ? Version::parse(std::string_view(name).substr(2))
                                 : std::nullopt;
        if (version)
            roots.emplace_back(*version, nvidia / name);
    }
    std::sort(roots.rbegin(), roots.rend());
    for (const auto& [version, root] : roots)
        found.push_back({root, look_at_root(root, wheel)});
    if (components)
        found.push_back({nvidia, look_at_component_wheels(nvidia, wheel)});
    return found;
}

} // namespace kiln::toolkit
