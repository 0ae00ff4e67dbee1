// SPDX-License-Identifier: Apache-2.0
#include "policy/options.h"

#include "base/text.h"
#include "policy/defines.h"
#include "policy/option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace kiln::policy {
namespace {

using Outcome = Translation::Outcome;

Translation refuse(std::string reason) {
    return {Outcome::refused, {}, std::move(reason)};
}

/// An option taken apart.
struct Parts {
    std::string_view name;
    std::string_view value;
    bool has_value = false;
};

/// `-DN=1`, `-UN`, `-O3`, `-Idir`: the value stands right behind one letter.
bool is_attached(std::string_view option) noexcept {
    return option.size() > 2 && option[0] == '-' &&
           std::string_view("DUOIL").find(option[1]) != std::string_view::npos &&
           option[2] != ' ' && !option.starts_with("-Ofc");
}

Parts take_apart(std::string_view option) {
    if (is_attached(option)) {
        return {option.substr(0, 2), option.substr(2), true};
    }
    const std::size_t end = option.find_first_of("= ");
    if (end == std::string_view::npos) {
        return {option, {}, false};
    }
    return {option.substr(0, end), option.substr(end + 1), true};
}

const OptionRow* find_row(std::string_view name) noexcept {
    const auto rows = option_rows();
    const auto row = std::find_if(rows.begin(), rows.end(), [name](const OptionRow& one) {
        return one.name == name || one.short_name == name;
    });
    return row == rows.end() ? nullptr : &*row;
}

const RefusedOption* find_refused(std::string_view name) {
    for (const RefusedOption& refused : refused_options()) {
        const auto names = base::split(refused.names, ' ');
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            return &refused;
        }
    }
    return nullptr;
}

Translation unknown(std::string_view option, std::string_view name) {
    if (!option.starts_with('-')) {
        return refuse("an option begins with `-`");
    }
    std::vector<std::string> known;
    for (const OptionRow& row : option_rows()) {
        known.emplace_back(row.name);
        known.emplace_back(row.short_name);
    }
    const auto meant = base::nearest(name, known);
    return refuse(
        meant ? fmt::format("it is not an option that Kiln knows; did you mean `{}`?", *meant)
              : "it is not an option that Kiln knows");
}

/// What is wrong with a value, or an empty text.
std::string value_problem(const OptionRow& row, std::string_view value) {
    const auto digits = [](std::string_view text) {
        return base::parse_unsigned(text).has_value();
    };
    switch (row.value) {
    case OptionValue::boolean:
        return value == "true" || value == "false" ? "" : "its value is `true` or `false`";
    case OptionValue::integer:
        return digits(value) ? "" : "its value is a number";
    case OptionValue::level:
        return value.size() == 1 && digits(value) ? "" : "its value is one digit";
    case OptionValue::numbers: {
        const auto parts = base::split(value, ',');
        return std::all_of(parts.begin(), parts.end(), digits)
                   ? ""
                   : "its value is a list of numbers with commas";
    }
    case OptionValue::word: {
        const auto words = base::split(row.choices, ' ');
        if (std::find(words.begin(), words.end(), value) != words.end()) {
            return {};
        }
        return row.other_words.empty()
                   ? fmt::format("its value is one of: {}", fmt::join(words, ", "))
                   : std::string(row.other_words);
    }
    case OptionValue::text:
        return value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789_-.") == std::string_view::npos
                   ? ""
                   : "its value is made of letters, digits and `_ - .`";
    case OptionValue::define:
        return define_problem(value);
    case OptionValue::name:
        return macro_name_problem(value);
    case OptionValue::ptxas:
    case OptionValue::host:
    case OptionValue::fatbin:
        for (const auto piece : base::split(value, ',')) {
            if (!is_harmless(row.value, piece) ||
                piece.find_first_of(" \t\n") != std::string_view::npos) {
                return fmt::format("`{}` is not one of the options that Kiln passes on", piece);
            }
        }
        return {};
    case OptionValue::none:
        break;
    }
    return {};
}

bool is_list(OptionValue value) noexcept {
    return value == OptionValue::ptxas || value == OptionValue::host ||
           value == OptionValue::fatbin;
}

std::vector<std::string> spell(const OptionRow& row, const Parts& parts) {
    switch (row.value) {
    case OptionValue::none:
        return {std::string(parts.name)};
    case OptionValue::define:
    case OptionValue::name:
    case OptionValue::level:
        return {fmt::format("{}{}", row.short_name, parts.value)};
    default:
        break;
    }
    std::vector<std::string> result;
    if (is_list(row.value)) {
        // NVRTC takes one option of ptxas at a time; NVCC does not mind.
        for (const auto piece : base::split(parts.value, ',')) {
            result.push_back(fmt::format("{}={}", parts.name, piece));
        }
    } else {
        result.push_back(fmt::format("{}={}", parts.name, parts.value));
    }
    return result;
}

} // namespace

Translation translate(std::string_view option, Backend backend) {
    if (option.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos) {
        return refuse("it holds a line break or a NUL");
    }
    const Parts parts = take_apart(option);
    const OptionRow* row = find_row(parts.name);
    if (row == nullptr) {
        const RefusedOption* refused = find_refused(parts.name);
        return refused != nullptr ? refuse(std::string(refused->reason))
                                  : unknown(option, parts.name);
    }
    if (row->value == OptionValue::none && parts.has_value) {
        return refuse("it takes no value");
    }
    if (row->value != OptionValue::none && (!parts.has_value || parts.value.empty())) {
        return refuse(fmt::format("it needs a value, in the same text: `{}=...`", parts.name));
    }
    if (std::string problem = value_problem(*row, parts.value); !problem.empty()) {
        return refuse(std::move(problem));
    }
    const OptionUse& use = backend == Backend::nvrtc ? row->nvrtc : row->nvcc;
    if (use.outcome != Outcome::accepted) {
        return {use.outcome, {}, std::string(use.text)};
    }
    if (!use.text.empty()) {
        return {Outcome::accepted, {std::string(use.text)}, {}};
    }
    return {Outcome::accepted, spell(*row, parts), {}};
}

OptionSubject subject_of(std::string_view option) {
    const Parts parts = take_apart(option);
    const OptionRow* row = find_row(parts.name);
    if (row == nullptr) {
        return {};
    }
    if (row->value == OptionValue::define || row->value == OptionValue::name) {
        return {fmt::format("macro {}", parts.value.substr(0, parts.value.find('='))), false};
    }
    return row->single ? OptionSubject{std::string(row->name), true} : OptionSubject{};
}

} // namespace kiln::policy
