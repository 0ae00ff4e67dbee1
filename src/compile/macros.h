// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace kiln::compile {

/// What the macro options say of one name in the end: the last -D or -U of a name wins, as in both
/// compilers.
struct Macro {
    std::string name;       ///< `N`
    std::string parameters; ///< `(a, b)` with the brackets, or empty
    std::string value;      ///< `1` where the option gives none
    bool defined = true;    ///< false: -U

    /// Letters, digits and `_ . + -` only, no parameters: safe in nvcc's own command lines.
    bool simple() const noexcept;
    /// `#define N 4` or `#undef N`, always with `#undef` first so that nothing is redefined.
    std::string directives() const;
};

/// Options with the macros taken out, in their order.
struct SplitOptions {
    std::vector<std::string> others;
    std::vector<Macro> macros; ///< in the order of their first option
};

/// Understands `-DN=1`, `-D N=1`, `--define-macro=N=1`, and the same with -U and --undefine-macro.
/// Throws Error(usage) naming the option where the name is no identifier or the value cannot stand
/// on one line.
SplitOptions split_macros(std::span<const std::string> options);

} // namespace kiln::compile
