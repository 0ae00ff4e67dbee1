// SPDX-License-Identifier: Apache-2.0
#include "service/surroundings.h"

#include "service/prepared.h"
#include "toolkit/version.h"

#include <kiln/device.h>

namespace kiln::service {
namespace {

std::optional<policy::DeviceFacts> device_facts(ComputeCapability capability) {
    const auto present = devices();
    for (const auto& device : present.devices) {
        if (device.capability != capability)
            continue;
        policy::DeviceFacts facts;
        facts.name = device.name;
        facts.memory = device.memory_bytes;
        facts.shared_memory_per_block = device.shared_bytes_per_block;
        facts.integrated = device.integrated;
        facts.driver = toolkit::Version::parse(present.driver_version).value_or(toolkit::Version{});
        return facts;
    }
    return std::nullopt;
}

std::optional<std::string> header_text(const Service::State& state,
                                       const catalog::Instance& instance, std::string_view header) {
    constexpr std::size_t most_bytes = 16u << 20;
    const auto found = search_path(state, &instance).resolve(header, false, {}, state.files).found;
    if (!found)
        return std::nullopt;
    std::error_code error;
    const auto bytes = state.files.read(found->path, most_bytes, error);
    if (error)
        return std::nullopt;
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

} // namespace

policy::Surroundings surroundings_of(const Service::State& state) {
    policy::Surroundings surroundings;
    surroundings.variable = [&state](std::string_view name) -> std::optional<std::string> {
        const auto found = state.settings.variables.find(std::string(name));
        return found == state.settings.variables.end() ? std::nullopt
                                                       : std::optional(found->second);
    };
    surroundings.environment = [&state](std::string_view name) {
        return state.environment.get(name);
    };
    surroundings.device = device_facts;
    surroundings.header = [&state](const catalog::Instance& instance, std::string_view header) {
        return header_text(state, instance, header);
    };
    surroundings.experiments = state.settings.experiments;
    return surroundings;
}

} // namespace kiln::service
