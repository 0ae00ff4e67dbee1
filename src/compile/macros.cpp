// SPDX-License-Identifier: Apache-2.0
#include "compile/macros.h"

#include "base/text.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace kiln::compile {

namespace {

bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

bool is_control(char c) noexcept {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t';
}

struct Spelling {
    std::string_view text;
    bool defines;
};
constexpr std::array<Spelling, 4> spellings{
    {{"--define-macro", true}, {"--undefine-macro", false}, {"-D", true}, {"-U", false}}};

Macro parse(std::string_view text, bool defines, const std::string& option) {
    const auto refuse = [&](std::string_view why) {
        throw Error(ErrorCode::usage, fmt::format("macro option `{}` {}", option, why),
                    "write -DNAME or -DNAME=VALUE on one line");
    };
    Macro macro;
    macro.defined = defines;
    text = base::trim(text);
    std::size_t end = 0;
    while (end < text.size() && (is_letter(text[end]) || (end > 0 && is_digit(text[end]))))
        ++end;
    if (end == 0)
        refuse("has no identifier as its name");
    macro.name = std::string(text.substr(0, end));
    text.remove_prefix(end);
    if (!defines) {
        if (!text.empty())
            refuse("has more than a name");
        return macro;
    }
    if (text.starts_with('(')) {
        const auto close = text.find(')');
        if (close == std::string_view::npos)
            refuse("has parameters without an end");
        macro.parameters = std::string(text.substr(0, close + 1));
        text.remove_prefix(close + 1);
    }
    if (text.empty()) {
        macro.value.assign(1, '1');
    } else if (text.front() == '=') {
        macro.value = std::string(text.substr(1));
    } else {
        refuse("has no identifier as its name");
    }
    if (std::any_of(macro.value.begin(), macro.value.end(), is_control) ||
        std::any_of(macro.parameters.begin(), macro.parameters.end(), is_control))
        refuse("holds a line break or another control character");
    return macro;
}

} // namespace

bool Macro::simple() const noexcept {
    return parameters.empty() && std::all_of(value.begin(), value.end(), [](char c) {
               return is_letter(c) || is_digit(c) || c == '.' || c == '+' || c == '-';
           });
}

std::string Macro::directives() const {
    if (!defined)
        return fmt::format("#undef {}\n", name);
    // A backslash at the end of the line would join the next one to it.
    const std::string_view end = value.ends_with('\\') ? " /**/" : "";
    return fmt::format("#undef {0}\n#define {0}{1} {2}{3}\n", name, parameters, value, end);
}

SplitOptions split_macros(std::span<const std::string> options) {
    SplitOptions result;
    for (std::size_t i = 0; i < options.size(); ++i) {
        const std::string_view option = options[i];
        const auto spelling =
            std::find_if(spellings.begin(), spellings.end(),
                         [&](const Spelling& s) { return option.starts_with(s.text); });
        if (spelling == spellings.end()) {
            result.others.push_back(options[i]);
            continue;
        }
        auto text = option.substr(spelling->text.size());
        if (text.empty() && i + 1 < options.size())
            text = options[++i];
        else if (spelling->text.starts_with("--") && text.starts_with('='))
            text.remove_prefix(1);
        auto macro = parse(text, spelling->defines, options[i]);
        const auto same = std::find_if(result.macros.begin(), result.macros.end(),
                                       [&](const Macro& m) { return m.name == macro.name; });
        if (same == result.macros.end())
            result.macros.push_back(std::move(macro));
        else
            *same = std::move(macro);
    }
    return result;
}

} // namespace kiln::compile
