// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include "base/text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace kiln::cli {
namespace {

/// A compiler's log is cut to what fits a screen; `-v` shows all.
constexpr std::size_t log_lines = 30;

bool colours() {
    static const bool on = stdout_is_terminal() && std::getenv("NO_COLOR") == nullptr;
    return on;
}

std::string_view code_of(Style style) {
    switch (style) {
    case Style::good:
        return "32";
    case Style::bad:
        return "31";
    case Style::warning:
        return "33";
    case Style::faint:
        return "2";
    case Style::strong:
        return "1";
    case Style::plain:
        break;
    }
    return {};
}

void print_block(std::string_view title, std::string_view text, std::size_t limit) {
    if (text.empty())
        return;
    std::fputs(fmt::format("{}:\n", title).c_str(), stderr);
    std::size_t shown = 0;
    for (const auto line : base::split(text, '\n')) {
        if (line.empty())
            continue;
        if (++shown > limit) {
            std::fputs("  ... (-v shows all)\n", stderr);
            return;
        }
        std::fputs(fmt::format("  {}\n", base::trim(line)).c_str(), stderr);
    }
}

} // namespace

bool stdout_is_terminal() noexcept {
    return ::isatty(STDOUT_FILENO) == 1;
}
bool stderr_is_terminal() noexcept {
    return ::isatty(STDERR_FILENO) == 1;
}

std::string styled(std::string_view text, Style style) {
    if (!colours() || style == Style::plain)
        return std::string(text);
    return fmt::format("\033[{}m{}\033[0m", code_of(style), text);
}

void print_error(const Error& error, bool verbose) {
    std::fputs(fmt::format("kiln: {}\n", error.message()).c_str(), stderr);
    if (!error.hint().empty())
        std::fputs(fmt::format("hint: {}\n", error.hint()).c_str(), stderr);
    if (const auto location = error.context("location"); !location.empty())
        std::fputs(fmt::format("at: {}\n", location).c_str(), stderr);
    const auto limit = verbose ? static_cast<std::size_t>(-1) : log_lines;
    print_block("include chain", error.context("chain"), limit);
    print_block("tried", error.context("tried"), limit);
    print_block("log", error.context("log"), limit);
}

std::string Table::str() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].text.size());
    }
    std::string result;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += styled(row[i].text, row[i].style);
            if (i + 1 < row.size())
                line += std::string(widths[i] - row[i].text.size() + 2, ' ');
        }
        result += line + '\n';
    }
    return result;
}

} // namespace kiln::cli
