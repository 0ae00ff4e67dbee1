// SPDX-License-Identifier: Apache-2.0
#include "toolkit/discovery.h"

#include "base/file_system.h"
#include "base/log.h"
#include "base/text.h"
#include "toolkit/layout.h"
#include "toolkit/nvcc_wrapper.h"
#include "toolkit/python_wheels.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

namespace kiln::toolkit {
namespace {

namespace fs = std::filesystem;

/// Walks the places and keeps what it finds.
class Search {
  public:
    Search(const DiscoveryOptions& options, const base::Environment& environment)
        : options_(options), environment_(environment) {}

    Discovery run() {
        if (options_.wanted.find('/') != std::string::npos)
            requested(fs::absolute(options_.wanted));
        toolkit_variable("CUDA_HOME");
        toolkit_variable("CUDA_PATH");
        path_variable();
        default_prefix();
        for (const auto& prefix : options_.distribution_prefixes)
            distribution(prefix);
        for (const auto& directory : options_.site_packages.empty() ? site_packages_of(environment_)
                                                                    : options_.site_packages)
            wheels(directory);
        variable("CONDA_PREFIX", "conda");
        return std::move(result_);
    }

  private:
    void tried(const fs::path& path, std::string_view found_by, std::string outcome) {
        result_.tried.push_back({path, std::string(found_by), std::move(outcome)});
    }

    const Toolkit* known(const fs::path& root) const {
        const auto found = std::find_if(result_.toolkits.begin(), result_.toolkits.end(),
                                        [&](const Toolkit& other) { return other.root == root; });
        return found == result_.toolkits.end() ? nullptr : &*found;
    }

    bool keep(const fs::path& path, std::string_view found_by, Look look) {
        if (look.toolkit && known(look.toolkit->root) != nullptr) {
            tried(path, found_by,
                  fmt::format("{}, already found by {}", look.outcome,
                              known(look.toolkit->root)->found_by));
            return true;
        }
        tried(path, found_by, std::move(look.outcome));
        if (!look.toolkit)
            return false;
        result_.toolkits.push_back(std::move(*look.toolkit));
        return true;
    }

    /// One directory that should be a toolkit. False if it is none.
    bool root(const fs::path& path, std::string_view found_by) {
        std::error_code error;
        const auto resolved = fs::canonical(path, error);
        if (error) {
            tried(path, found_by,
                  error == std::errc::no_such_file_or_directory ? "does not exist"
                                                                : error.message());
            return false;
        }
        if (!fs::is_directory(resolved, error)) {
            tried(path, found_by, "is no directory");
            return false;
        }
        if (const auto* before = known(resolved)) {
            tried(path, found_by,
                  fmt::format("CUDA {}, already found by {}", before->version.str(),
                              before->found_by));
            return true;
        }
        auto look = look_at_root(resolved, found_by);
        if (!look.toolkit && !look.bare_nvcc.empty())
            return wrapper(look.bare_nvcc, found_by);
        return keep(path, found_by, std::move(look));
    }

    /// An nvcc without a toolkit around it: the toolkit that it works with if it is of the version
    /// that it says, else a toolkit of its own.
    bool wrapper(const fs::path& nvcc, std::string_view found_by) {
        // Two children cost 20 ms and more: only for a toolkit that may come to be used.
        if (!result_.toolkits.empty() && !Version::parse(options_.wanted)) {
            tried(nvcc, found_by,
                  fmt::format("an nvcc with no toolkit around it, not asked: {} comes first",
                              result_.toolkits.front().found_by));
            return true;
        }
        const auto answer = ask_wrapper(nvcc, environment_);
        if (!answer.version) {
            tried(nvcc, found_by, answer.trouble);
            return false;
        }
        if (!answer.home.empty()) {
            auto look = look_at_root(answer.home, found_by);
            if (look.toolkit && look.toolkit->version.short_str() == answer.version->short_str()) {
                look.outcome =
                    fmt::format("a wrapper of {}: {}", answer.home.string(), look.outcome);
                return keep(nvcc, found_by, std::move(look));
            }
        }
        const auto directory = nvcc.parent_path();
        if (directory.filename() == "bin")
            return keep(nvcc, found_by,
                        look_at_root(directory.parent_path(), found_by, answer.version));
        Toolkit toolkit;
        toolkit.root = directory;
        toolkit.version = *answer.version;
        toolkit.nvcc = nvcc;
        toolkit.found_by = found_by;
        return keep(nvcc, found_by,
                    {std::move(toolkit), fmt::format("CUDA {}", answer.version->str()), {}});
    }

    /// A path that somebody named: a root, an nvcc, or a directory of Python packages.
    void requested(const fs::path& path) {
        std::error_code error;
        if (path.filename() == "nvcc" && fs::is_regular_file(path, error)) {
            nvcc(path, "requested");
            return;
        }
        if (!fs::is_directory(path / "nvidia", error)) {
            root(path, "requested");
            return;
        }
        auto looks = look_at_wheels(fs::canonical(path, error));
        for (auto& [place, look] : looks) {
            if (look.toolkit)
                look.toolkit->found_by = "requested";
            keep(place, "requested", std::move(look));
        }
        if (looks.empty())
            root(path, "requested");
    }

    bool variable(const char* name, std::string_view found_by) {
        const auto value = environment_.get(name);
        if (!value) {
            tried({}, found_by, fmt::format("{} is not set", name));
            return true;
        }
        if (fs::path(*value).is_absolute())
            return root(*value, found_by);
        tried(*value, found_by, "is not an absolute path");
        return false;
    }

    /// A variable that is there for the toolkit alone.
    void toolkit_variable(const char* name) {
        if (!variable(name, name))
            base::warn_once(fmt::format("toolkit:{}", result_.tried.back().str()),
                            fmt::format("{} names no CUDA toolkit and is passed over: {}", name,
                                        result_.tried.back().str()));
    }

    /// Prefixes that hold much else: whether CUDA is there is asked before libraries are listed.
    void distribution(const fs::path& prefix) {
        std::error_code error;
        if (fs::exists(prefix / "bin/nvcc", error) ||
            fs::exists(prefix / "include/cuda_runtime_api.h", error))
            root(prefix, "distribution");
        else
            tried(prefix, "distribution", "has neither bin/nvcc nor include/cuda_runtime_api.h");
    }

    bool nvcc(const fs::path& path, std::string_view found_by) {
        std::error_code error;
        const auto resolved = fs::canonical(path, error);
        // A link to something of another name (a compiler cache) works by the link's name alone.
        if (error || resolved.filename() != "nvcc" || resolved.parent_path().filename() != "bin")
            return wrapper(path, found_by);
        auto prefix = resolved.parent_path().parent_path();
        if (prefix.filename() == "nvidia-cuda-toolkit")
            prefix = prefix.parent_path().parent_path();
        return root(prefix, found_by);
    }

    void path_variable() {
        bool any = false;
        const auto path = environment_.get("PATH").value_or("");
        for (const auto directory : base::split(path, ':')) {
            const auto candidate = fs::path(directory) / "nvcc";
            std::error_code error;
            // A relative entry would make the toolkit depend on the working directory.
            if (!candidate.is_absolute() || !fs::is_regular_file(candidate, error))
                continue;
            any = true;
            if (::access(candidate.c_str(), X_OK) == 0)
                nvcc(candidate, "PATH");
            else
                tried(candidate, "PATH", "is not executable");
        }
        if (!any)
            tried({}, "PATH", fmt::format("no nvcc in PATH={}", path));
    }

    void default_prefix() {
        const auto& prefix = options_.default_prefix;
        const auto parent = prefix.parent_path().string();
        root(prefix, parent);
        const auto stem = prefix.filename().string() + "-";
        std::vector<std::pair<Version, fs::path>> siblings;
        std::error_code error;
        for (const auto& name : base::real_file_system().list(prefix.parent_path(), error))
            if (name.starts_with(stem))
                if (const auto version = Version::parse(std::string_view(name).substr(stem.size())))
                    siblings.emplace_back(*version, prefix.parent_path() / name);
        std::sort(siblings.rbegin(), siblings.rend());
        for (const auto& sibling : siblings)
            root(sibling.second, parent);
    }

    void wheels(const fs::path& site_packages) {
        auto looks = look_at_wheels(site_packages);
        for (auto& [place, look] : looks)
            keep(place, "python wheel", std::move(look));
        if (looks.empty())
            tried(site_packages, "python wheel", "has no CUDA wheels");
    }

    const DiscoveryOptions& options_;
    const base::Environment& environment_;
    Discovery result_;
};

} // namespace

std::string Tried::str() const {
    return path.empty() ? fmt::format("{}: {}", found_by, outcome)
                        : fmt::format("{} {}: {}", found_by, path.string(), outcome);
}

Discovery discover(const DiscoveryOptions& options, const base::Environment& environment) {
    return Search(options, environment).run();
}

} // namespace kiln::toolkit
