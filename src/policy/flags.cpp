// SPDX-License-Identifier: Apache-2.0
#include "policy/flags.h"

#include <fmt/format.h>

namespace kiln::policy {
namespace {

using Outcome = Translation::Outcome;

struct Item {
    const Option* option;
    const Rule* rule;
};

/// The later option that makes `items[index]` idle, or null.
const Option* replacement(const std::vector<Item>& items, std::size_t index) {
    const Option& option = *items[index].option;
    for (std::size_t later = items.size() - 1; later > index; --later) {
        const Option& other = *items[later].option;
        const bool same_subject =
            !option.subject.name.empty() && other.subject.name == option.subject.name;
        if (same_subject || other.written == option.written) {
            return &other;
        }
    }
    return nullptr;
}

RuleNote note(const Item& item, std::string reason) {
    return {item.rule->name, item.option->origin, "option " + item.option->written, false,
            std::move(reason)};
}

} // namespace

std::string_view display_name(Backend backend) noexcept {
    return backend == Backend::nvrtc ? "NVRTC" : "NVCC";
}

Flags assemble_flags(std::span<const Rule* const> rules, Backend backend) {
    std::vector<Item> items;
    for (const Rule* rule : rules) {
        for (const Option& option : rule->set.options) {
            items.push_back({&option, rule});
        }
    }
    Flags result;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Option& option = *items[i].option;
        const Translation& translation = option.for_backend(backend);
        if (translation.outcome != Outcome::accepted) {
            result.notes.push_back(
                note(items[i], fmt::format("not passed to {}: {}", display_name(backend),
                                           translation.reason)));
            continue;
        }
        const Option* other = replacement(items, i);
        if (other != nullptr) {
            const bool repeated = other->written == option.written;
            result.notes.push_back(
                note(items[i], repeated ? fmt::format("said again at {}", other->origin)
                                        : fmt::format("`{}` at {} comes later and counts",
                                                      other->written, other->origin)));
            if (repeated || option.subject.single) {
                result.left_out.push_back(&option);
                continue;
            }
        }
        for (const std::string& spelling : translation.spelling) {
            result.flags.push_back({spelling, option.origin});
        }
    }
    return result;
}

std::string refused_option(std::span<const Rule* const> rules, Backend backend) {
    for (const Rule* rule : rules) {
        for (const Option& option : rule->set.options) {
            const Translation& translation = option.for_backend(backend);
            if (translation.outcome == Outcome::refused) {
                return fmt::format("{} cannot take `{}` ({}): {}", display_name(backend),
                                   option.written, option.origin, translation.reason);
            }
        }
    }
    return {};
}

} // namespace kiln::policy
