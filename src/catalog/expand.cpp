// SPDX-License-Identifier: Apache-2.0
#include "catalog/expand.h"

#include <kiln/error.h>

#include <fmt/format.h>

namespace kiln::catalog {
namespace {

/// The position of the `}` that closes the `${` before `begin`.
std::size_t closing_brace(std::string_view text, std::size_t begin) {
    int depth = 1;
    for (std::size_t i = begin; i < text.size(); ++i) {
        if (text.substr(i, 2) == "${") {
            ++depth;
            ++i;
        } else if (text[i] == '}' && --depth == 0) {
            return i;
        }
    }
    throw Error(ErrorCode::usage, fmt::format("`{}` has a `${{` without its `}}`", text));
}

} // namespace

Expansion expand(std::string_view text, const Lookup& lookup) {
    Expansion result;
    std::size_t position = 0;
    while (true) {
        const std::size_t start = text.find("${", position);
        result.text += text.substr(position, start - position);
        if (start == std::string_view::npos) {
            return result;
        }
        const std::size_t end = closing_brace(text, start + 2);
        const std::string_view inside = text.substr(start + 2, end - start - 2);
        const std::size_t dash = inside.find(":-");
        const std::string_view name = inside.substr(0, dash);
        if (name.empty() || name.find_first_of("${} ") != std::string_view::npos) {
            throw Error(ErrorCode::usage, fmt::format("`${{{}}}` holds no name", inside));
        }
        if (auto value = lookup(name)) {
            result.text += *value;
        } else if (dash != std::string_view::npos) {
            const Expansion fallback = expand(inside.substr(dash + 2), lookup);
            result.text += fallback.text;
            if (result.unknown.empty()) {
                result.unknown = fallback.unknown;
            }
        } else {
            result.text += text.substr(start, end + 1 - start);
            if (result.unknown.empty()) {
                result.unknown = name;
            }
        }
        position = end + 1;
    }
}

} // namespace kiln::catalog
