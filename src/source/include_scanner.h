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
    /// The operand without quotes, every blank in it kept (the compilers keep them: measured with
    /// NVRTC 13.0), or the macro's text.
    std::string name;
    int line = 0;
    bool probe = false; ///< from `__has_include`: asks, opens nothing
    bool next = false;  ///< `#include_next`: the search begins after the includer's root
    /// For a computed probe by a macro of one's own: that macro's name. It counts only if some file
    /// defines the macro as `__has_include` (Scan::probe_macros).
    std::string through;
    std::string condition; ///< innermost enclosing `#if` text, at most 200 bytes, or empty
};

/// All that one text says about other files.
struct Scan {
    std::vector<IncludeDirective> directives; ///< in the order of the text
    /// Macros that stand for `__has_include`, by `#define NAME(x) __has_include(x)`. Their uses in
    /// conditions with a literal operand are directives already.
    std::vector<std::string> probe_macros;
    /// The text has more than 200,000 directives; the rest is left out.
    bool truncated = false;
};

/// Every directive in a source text: comments, strings, raw strings, line continuations, CRLF and a
/// byte order mark are understood; conditions are not evaluated. Never throws for any input; time
/// is linear in its size.
Scan scan_source(std::string_view text);

/// The directives alone, without those that need another file to be understood (`through`).
std::vector<IncludeDirective> scan_includes(std::string_view text);

} // namespace kiln::source
