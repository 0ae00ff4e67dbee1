// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/error.h>

#include <string>
#include <string_view>
#include <vector>

/// Text for people: colours only on a terminal and never with NO_COLOR.
namespace kiln::cli {

enum class Style { plain, good, bad, warning, faint, strong };

/// For stdout.
std::string styled(std::string_view text, Style style);
bool stdout_is_terminal() noexcept;
bool stderr_is_terminal() noexcept;

/// Prints an error to stderr: message, hint, where, chain, places tried, and the end of the log.
void print_error(const Error& error, bool verbose);

/// Columns padded to their widest cell, two blanks apart. Cells are plain text; `styles` may be
/// empty or has one style a cell.
struct Table {
    struct Cell {
        std::string text;
        Style style = Style::plain;
    };
    std::vector<std::vector<Cell>> rows;
    std::string str() const;
};

} // namespace kiln::cli
