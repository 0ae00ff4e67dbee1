// SPDX-License-Identifier: Apache-2.0
#include "policy/defines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace kiln::policy {

std::string macro_name_problem(std::string_view name) {
    const auto fits = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    if (name.find('(') != std::string_view::npos) {
        return fmt::format("`{}` has arguments; write such a macro in the source", name);
    }
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 ||
        !std::all_of(name.begin(), name.end(), fits)) {
        return fmt::format("`{}` is no name for a macro", name);
    }
    return {};
}

std::string define_problem(std::string_view define) {
    if (define.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos) {
        return "its value holds a line break or a NUL";
    }
    return macro_name_problem(define.substr(0, define.find('=')));
}

} // namespace kiln::policy
