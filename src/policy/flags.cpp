// SPDX-License-Identifier: Apache-2.0
#include "policy/flags.h"

#include <fmt/format.h>

namespace kiln::policy {
namespace {

using Outcome = Translation::Outcome;

struct Item {
    const Option* option;
    const Rule* rule;
    const Rule* remover = nullptr; ///< the stronger rule that removes it
};

/// `subject` is that of `removal`.
bool is_named(const Option& option, std::string_view removal, const OptionSubject& subject) {
    const bool is_macro =
        subject.name.starts_with("macro ") && removal.find('=') == std::string_view::npos;
    const bool by_name = removal.find('=') == std::string_view::npos &&
                         !option.subject.name.empty() && option.subject.name == subject.name;
    return option.written == removal || (by_name && (is_macro || subject.single)) ||
           (!option.root.empty() && removal.substr(0, 2) == "-I" &&
            removal.substr(2) == option.root);
}

/// Marks what `rule` removes of the weaker rules' options; gives back what names nothing.
std::vector<std::string> remove(std::vector<Item>& items, const Rule& rule) {
    std::vector<std::string> idle;
    for (const std::string& removal : rule.set.remove) {
        const OptionSubject subject = subject_of(removal);
        bool found = false;
        for (Item& item : items) {
            if (is_named(*item.option, removal, subject)) {
                item.remover = &rule;
                found = true;
            }
        }
        if (!found) {
            idle.push_back(removal);
        }
    }
    return idle;
}

/// The later option that makes `items[index]` idle, or null.
const Option* replacement(const std::vector<Item>& items, std::size_t index) {
    const Option& option = *items[index].option;
    for (std::size_t later = items.size() - 1; later > index; --later) {
        const Option& other = *items[later].option;
        const bool same_subject =
            !option.subject.name.empty() && other.subject.name == option.subject.name;
        // Of a directory that is searched twice the first place counts, for the compilers too.
        const bool repeated = option.root.empty() && other.written == option.written;
        if (items[later].remover == nullptr && (same_subject || repeated)) {
            return &other;
        }
    }
    return nullptr;
}

RuleNote make_note(const Item& item, std::string reason) {
    return {item.rule->name, item.option->origin, "option " + item.option->written, false,
            std::move(reason)};
}

} // namespace

std::string_view display_name(Backend backend) noexcept {
    return backend == Backend::nvrtc ? "NVRTC" : "NVCC";
}

bool removes(std::string_view removal, const Option& option) {
    return is_named(option, removal, subject_of(removal));
}

Flags assemble_flags(std::span<const Rule* const> rules, const OptionValues& values,
                     Backend backend, bool with_notes) {
    std::vector<Item> items;
    Flags result;
    for (const Rule* rule : rules) {
        for (auto& idle : remove(items, *rule)) {
            result.idle_removals.push_back(std::move(idle));
        }
        for (const Option& option : rule->set.options) {
            items.push_back({&values.of(option), rule});
        }
    }
    // A reason costs strings, so it is made only where it is wanted.
    const auto note = [&](const Item& item, auto make_reason) {
        if (with_notes) {
            result.notes.push_back(make_note(item, make_reason()));
        }
    };
    result.flags.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Option& option = *items[i].option;
        if (const Rule* remover = items[i].remover; remover != nullptr) {
            note(items[i], [&] { return fmt::format("removed at {}", remover->origin); });
            continue;
        }
        const Translation& translation = option.for_backend(backend);
        if (translation.outcome != Outcome::accepted) {
            note(items[i], [&] {
                return fmt::format("not passed to {}: {}", display_name(backend),
                                   translation.reason);
            });
            continue;
        }
        if (const Option* other = replacement(items, i); other != nullptr) {
            const bool repeated = other->written == option.written;
            note(items[i], [&] {
                return repeated ? fmt::format("said again at {}", other->origin)
                                : fmt::format("`{}` at {} comes later and counts", other->written,
                                              other->origin);
            });
            if (repeated || option.subject.single) {
                result.left_out.push_back(&option);
                continue;
            }
        }
        if (!option.root.empty()) {
            result.include_roots.push_back({option.root, option.written.substr(2)});
        }
        for (const std::string& spelling : translation.spelling) {
            result.flags.push_back({spelling, option.origin});
        }
    }
    return result;
}

std::string refused_option(std::span<const Rule* const> rules, const OptionValues& values,
                           Backend backend) {
    for (const Rule* rule : rules) {
        for (const Option& written : rule->set.options) {
            const Option& option = values.of(written);
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
