// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kiln::policy {

/// What is wrong with the name of a macro, or an empty text. A name with arguments (`F(x)`) is
/// refused: the two compilers do not read it alike.
std::string macro_name_problem(std::string_view name);

/// What is wrong with `NAME` or `NAME=VALUE`, or an empty text. A value may hold anything but a
/// line break or a NUL: no shell ever sees it.
std::string define_problem(std::string_view define);

} // namespace kiln::policy
