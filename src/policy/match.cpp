// SPDX-License-Identifier: Apache-2.0
#include "policy/match.h"

#include <algorithm>

namespace kiln::policy {
namespace {

template <typename T>
bool contains(const std::vector<T>& values, const T& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

template <typename Lookup>
bool all_hold(const std::vector<VariableCondition>& conditions, const Lookup& lookup) {
    return std::all_of(conditions.begin(), conditions.end(), [&](const VariableCondition& one) {
        const auto value = lookup(one.name);
        return value && (!one.comparison || one.comparison->holds(*value));
    });
}

bool holds(const ParameterCondition& condition, const Facts& facts) {
    const std::string* first = facts.parameter(condition.first);
    if (first == nullptr || condition.second.empty()) {
        return first != nullptr && condition.comparison.holds(*first);
    }
    const std::string* second = facts.parameter(condition.second);
    const auto a = integer_of(*first);
    const auto b = second == nullptr ? std::nullopt : integer_of(*second);
    std::int64_t product = 0;
    return a && b && !__builtin_mul_overflow(*a, *b, &product) &&
           condition.comparison.holds(product);
}

bool holds(const HeaderCondition& condition, const Facts& facts) {
    const auto& header = facts.surroundings.header;
    const auto text = header ? header(facts.instance, condition.header) : std::nullopt;
    return text && text->find(condition.text) != std::string::npos;
}

bool device_holds(const Match& match, const Facts& facts) {
    if (!match.device && !match.driver) {
        return true;
    }
    const auto& ask = facts.surroundings.device;
    const auto device = ask ? ask(facts.capability()) : std::nullopt;
    return device && (!match.device || match.device->holds(*device)) &&
           (!match.driver || match.driver->contains(device->driver));
}

} // namespace

const std::string* Facts::parameter(std::string_view name) const noexcept {
    for (const auto& [parameter, value] : instance.parameters) {
        if (parameter == name) {
            return &value;
        }
    }
    return nullptr;
}

bool ArchMatch::holds(const ArchRequest& request) const {
    const ComputeCapability asked = request.target.capability;
    return (!capability || capability->contains(asked)) &&
           (families.empty() || contains(families, asked.family())) &&
           (majors.empty() || contains(majors, static_cast<int>(asked.major))) &&
           (!written_out || *written_out == request.written_out);
}

bool DeviceMatch::holds(const DeviceFacts& device) const {
    const auto within = [](const std::optional<Comparison>& comparison, std::uint64_t bytes) {
        return !comparison || comparison->holds(static_cast<std::int64_t>(bytes));
    };
    return (!names || names->contain(device.name)) && within(memory, device.memory) &&
           within(shared_memory_per_block, device.shared_memory_per_block) &&
           (!integrated || *integrated == device.integrated);
}

bool Match::holds(const Facts& facts) const {
    const auto any_tag = [&] {
        const auto& of_module = facts.module().tags;
        return std::any_of(of_module.begin(), of_module.end(),
                           [this](const std::string& tag) { return contains(tags, tag); });
    };
    const auto some_arch = [&] {
        return std::any_of(facts.archs.begin(), facts.archs.end(),
                           [this](const ArchRequest& one) { return any_arch->holds(one); });
    };
    const auto all = [&facts](const auto& conditions) {
        return std::all_of(conditions.begin(), conditions.end(),
                           [&facts](const auto& one) { return policy::holds(one, facts); });
    };
    const auto environment_value = [&facts](const std::string& name) {
        const auto& ask = facts.surroundings.environment;
        return ask ? ask(name) : std::nullopt;
    };
    const auto variable = [&facts](const std::string& name) { return facts.variable(name); };
    // What costs least, and what most rules name, first; what leaves this process last.
    return (modules.empty() || modules.contain(facts.module().name)) && arch.holds(facts.arch) &&
           (tags.empty() || any_tag()) && (!any_arch || some_arch()) &&
           (!toolkit || toolkit->contains(facts.toolkit)) &&
           (backends.empty() || (facts.backend && contains(backends, *facts.backend))) &&
           (targets.empty() || (facts.target && catalog::covers(targets, *facts.target))) &&
           all(parameters) && all_hold(environment, environment_value) &&
           all_hold(variables, variable) && all(headers) && device_holds(*this, facts);
}

Stage Match::stage() const noexcept {
    if (!targets.empty()) {
        return Stage::target;
    }
    return backends.empty() ? Stage::request : Stage::backend;
}

} // namespace kiln::policy
