// SPDX-License-Identifier: Apache-2.0
#include "cli/json_output.h"
#include "cli/session.h"
#include "cli/terminal.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>

namespace kiln::cli {
namespace {

/// The target that the policy would pick for a module without rules of its own; empty where there
/// is no toolkit to ask.
std::string target_for(Session& session, ComputeCapability capability) {
    try {
        const auto& state = session.state();
        catalog::Module module;
        module.name = "any";
        const catalog::Instance instance{&module, {}};
        ArchRequest arch;
        arch.target.capability = capability;
        const auto& facts = state.facts();
        const auto plan =
            state.policy().resolve({instance, arch, {&arch, 1}, facts, state.surroundings}).plan;
        return plan.target ? plan.target->str() : std::string();
    } catch (const Error&) {
        return {};
    }
}

ExitCode show(Session& session) {
    const auto present = devices();
    Json list = Json::array();
    Table table{{{{"index"}, {"name"}, {"capability"}, {"target"}, {"memory"}, {"uuid"}}}};
    for (const auto& device : present.devices) {
        const auto target = target_for(session, device.capability);
        list.push_back({{"index", device.index},
                        {"name", device.name},
                        {"uuid", device.uuid},
                        {"capability", device.capability.str()},
                        {"target", target.empty() ? Json(nullptr) : Json(target)},
                        {"mig", device.mig}});
        table.rows.push_back(
            {{fmt::format("{}", device.index)},
             {device.name + (device.mig ? " (MIG)" : "")},
             {device.capability.str()},
             {target.empty() ? "-" : target},
             {fmt::format("{:.1f} GiB", static_cast<double>(device.memory_bytes) / (1u << 30))},
             {device.uuid}});
    }
    if (session.options.json) {
        print_json({{"devices", std::move(list)},
                    {"driver",
                     present.driver_version.empty() ? Json(nullptr) : Json(present.driver_version)},
                    {"reason", present.reason.empty() ? Json(nullptr) : Json(present.reason)}});
        return ExitCode::done;
    }
    if (present.devices.empty())
        fmt::print("no device: {}\n", present.reason);
    else
        fmt::print("{}", table.str());
    if (!present.driver_version.empty())
        fmt::print("driver serves CUDA {}\n", present.driver_version);
    return ExitCode::done;
}

} // namespace

void add_devices(CLI::App& app, Session& session) {
    auto* verb = app.add_subcommand("devices", "The devices, and the target the policy picks");
    verb->callback([&session] { session.action = [&session] { return show(session); }; });
}

} // namespace kiln::cli
