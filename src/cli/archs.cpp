// SPDX-License-Identifier: Apache-2.0
#include "arch/arch_lists.h"
#include "base/text.h"
#include "cli/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace kiln::cli {
namespace {

/// A list in which an arch counts once.
class Archs {
  public:
    void add(const ArchRequest& arch) {
        if (std::find(list_.begin(), list_.end(), arch) == list_.end())
            list_.push_back(arch);
    }
    std::vector<ArchRequest> take() { return std::move(list_); }

  private:
    std::vector<ArchRequest> list_;
};

std::vector<ArchRequest> present_archs(std::string_view without) {
    const auto present = devices();
    if (present.devices.empty()) {
        throw Error(ErrorCode::unknown_arch, fmt::format("{}: {}", without, present.reason),
                    "name archs with --arch 9.0,12.0 or --arch all, KILN_ARCH=9.0, or "
                    "`arch: [\"9.0\"]` in a configuration");
    }
    std::vector<ArchRequest> archs;
    for (const auto& device : present.devices) {
        ArchRequest arch;
        arch.target.capability = device.capability;
        archs.push_back(arch);
    }
    return archs;
}

/// What NVCC takes for `-arch=all` and `all-major`, which CMake hands on: every plain target, or
/// those of minor 0 and the oldest; PTX beside the newest of minor 0.
std::vector<ArchRequest> as_nvcc_has_them(std::vector<ArchRequest> archs, bool major_only) {
    const auto minor = [](const ArchRequest& arch) { return arch.target.capability.minor; };
    const auto oldest = archs.front();
    if (major_only)
        std::erase_if(archs, [&](const auto& arch) { return minor(arch) != 0 && arch != oldest; });
    for (auto& arch : archs)
        arch.written_out = true;
    const auto newest = std::find_if(archs.rbegin(), archs.rend(),
                                     [&](const auto& arch) { return minor(arch) == 0; });
    if (newest != archs.rend())
        newest->with_ptx = true;
    return archs;
}

/// The text of `--arch-from SYNTAX[=TEXT]` and where it is from.
struct ForeignList {
    arch::ListSyntax syntax = arch::ListSyntax::torch;
    std::string text;
    std::string source;
};

ForeignList foreign_list(std::string_view option, const base::Environment& environment) {
    const auto equals = option.find('=');
    const auto name = option.substr(0, equals);
    const auto syntax = arch::list_syntax(name);
    if (!syntax)
        throw Error(ErrorCode::usage, fmt::format("`{}` is no syntax of arch lists", name),
                    "write --arch-from torch, flashinfer or cmake, with =LIST behind it or the "
                    "list in the variable");
    if (equals != std::string_view::npos)
        return {*syntax, std::string(option.substr(equals + 1)),
                fmt::format("--arch-from {}", name)};
    std::vector<std::string> names;
    for (const auto variable : arch::variables_of(*syntax)) {
        if (auto value = environment.get(variable))
            return {*syntax, *std::move(value), std::string(variable)};
        names.emplace_back(variable);
    }
    throw Error(ErrorCode::usage,
                fmt::format("--arch-from {}: {} not set", name,
                            names.size() == 1 ? names.front() + " is"
                                              : base::join(names, " and ") + " are"),
                fmt::format("set it, or write --arch-from {}=LIST", name));
}

/// At least one; throws Error(toolkit_unfit) where the toolkit reports none.
std::vector<ArchRequest> toolkit_archs(Session& session) {
    auto archs = session.service().all_archs();
    if (!archs.empty())
        return archs;
    const auto& facts = session.state().facts();
    const auto& capabilities = facts.capabilities;
    throw Error(
        ErrorCode::toolkit_unfit,
        fmt::format("the toolkit CUDA {} has no target that could be used: {}{}{}",
                    facts.version.str(), capabilities.nvrtc_error,
                    capabilities.nvrtc_error.empty() || capabilities.nvcc_error.empty() ? "" : "; ",
                    capabilities.nvcc_error),
        "kiln doctor shows what each toolkit lacks");
}

} // namespace

std::vector<ArchRequest> Session::archs_or_none() {
    if (options.arch.empty() && options.arch_from.empty() && state().settings.arch.empty())
        return {};
    return archs();
}

std::vector<ArchRequest> Session::foreign_archs() {
    const auto list = foreign_list(options.arch_from, state().environment);
    const bool cmake = list.syntax == arch::ListSyntax::cmake;
    Archs result;
    for (const auto& entry : arch::read_list(list.syntax, list.text, list.source)) {
        using Kind = arch::ListEntry::Kind;
        if (entry.kind == Kind::arch) {
            result.add(entry.arch);
            continue;
        }
        auto archs = entry.kind == Kind::native
                         ? present_archs(fmt::format("`native` in {} needs a device", list.source))
                         : toolkit_archs(*this);
        if (cmake && entry.kind != Kind::native)
            archs = as_nvcc_has_them(std::move(archs), entry.kind == Kind::all_major);
        for (auto& arch : archs) {
            // CMake's words stand for plain targets, as its numbers do.
            arch.written_out = arch.written_out || cmake;
            result.add(arch);
        }
    }
    return result.take();
}

std::vector<ArchRequest> Session::archs() {
    if (!options.arch_from.empty()) {
        if (!options.arch.empty())
            throw Error(ErrorCode::usage, "--arch and --arch-from both name the archs",
                        "leave one of them out");
        return foreign_archs();
    }
    std::string text = options.arch.empty() ? state().settings.arch.value : options.arch;
    const bool asked = !text.empty();
    if (!asked)
        text = "native";
    Archs result;
    std::string written;
    for (const auto part : base::split(text, ',')) {
        const auto word = base::trim(part);
        if (word == "all") {
            for (const auto& arch : toolkit_archs(*this))
                result.add(arch);
        } else if (word == "native") {
            for (const auto& arch :
                 present_archs(asked ? "`native` needs a device" : "no arch was named"))
                result.add(arch);
        } else {
            written += fmt::format("{}{}", written.empty() ? "" : ",", part);
        }
    }
    if (!written.empty()) {
        for (const auto& arch : ArchRequest::parse_list(written))
            result.add(arch);
    }
    auto archs = result.take();
    // Commas alone: nothing to do would pass for all done.
    if (archs.empty())
        throw Error(ErrorCode::unknown_arch, fmt::format("`{}` names no arch", text),
                    "write a list such as 9.0,12.0, or all, or native");
    return archs;
}

} // namespace kiln::cli
