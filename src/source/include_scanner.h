// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln::source {

/// One `#include` or `__has_include` as it stands in the text.
struct IncludeDirective {
    enum class Form { quoted, angled, computed }; ///< computed: the operand is a macro
    Form form = Form::quoted;
    std::string name; ///< the operand without quotes, or the macro's text
    int line = 0;
    bool probe = false;    ///< from `__has_include`: asks, opens nothing
    std::string condition; ///< innermost enclosing `#if` text, or empty
};

/// Every directive in a source text: comments, strings, raw strings, line continuations, CRLF and a
/// byte order mark are understood; conditions are not evaluated. Never throws for any input; time
/// is linear in its size.
std::vector<IncludeDirective> scan_includes(std::string_view text);

} // namespace kiln::source
