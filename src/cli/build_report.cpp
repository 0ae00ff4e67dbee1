// SPDX-License-Identifier: Apache-2.0
#include "cli/build_report.h"

#include "cli/json_output.h"
#include "cli/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

namespace kiln::cli {
namespace {

Style style_of(WarmResult::Status status) noexcept {
    switch (status) {
    case WarmResult::Status::compiled:
    case WarmResult::Status::hit:
        return Style::good;
    case WarmResult::Status::denied:
    case WarmResult::Status::skipped:
        return Style::warning;
    case WarmResult::Status::failed:
        break;
    }
    return Style::bad;
}

std::string reason_of(const WarmResult& result) {
    return result.error ? result.error->message() : std::string();
}

std::string line_of(const WarmResult& result, std::size_t done, std::size_t all) {
    auto line = fmt::format("[{}/{}] {:<8} {} {} {:.2f} s", done, all, to_string(result.status),
                            result.instance, result.target, result.seconds);
    if (result.error)
        line += ": " + reason_of(result);
    return line;
}

} // namespace

Service::Progress progress_of(const GlobalOptions& options) {
    if (options.quiet || options.json)
        return {};
    if (!stdout_is_terminal()) {
        return [](const WarmResult& result, std::size_t done, std::size_t all) {
            fmt::print("{}\n", line_of(result, done, all));
            std::fflush(stdout);
        };
    }
    return [](const WarmResult& result, std::size_t done, std::size_t all) {
        // Refusals and failures stay on the screen; what went well is overwritten.
        fmt::print("\r\033[K{}{}", styled(line_of(result, done, all), style_of(result.status)),
                   result.error || done == all ? "\n" : "");
        std::fflush(stdout);
    };
}

void print_failures(std::span<const WarmResult> results, const GlobalOptions& options) {
    std::set<std::string> said;
    for (const auto& result : results) {
        if (!result.error || result.status != WarmResult::Status::failed)
            continue;
        if (said.insert(result.error->message()).second)
            print_error(*result.error, options.verbose);
    }
}

std::string summary_of(std::span<const WarmResult> results) {
    std::map<std::string_view, std::size_t> counts;
    for (const auto& result : results)
        ++counts[to_string(result.status)];
    std::string parts;
    for (const char* status : {"compiled", "hit", "denied", "skipped", "failed"}) {
        if (counts[status] > 0)
            parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", counts[status], status);
    }
    return fmt::format("{} wanted: {}", results.size(), parts.empty() ? "nothing" : parts);
}

std::string matrix_of(std::span<const WarmResult> results, std::span<const ArchRequest> archs) {
    Table table;
    std::vector<Table::Cell> head{{"", Style::plain}};
    for (const auto& arch : archs)
        head.push_back({arch.str(), Style::strong});
    table.rows.push_back(head);
    std::vector<std::string> reasons;
    // Results come in rows: for each instance one result an arch.
    for (std::size_t at = 0; at < results.size() && !archs.empty(); at += archs.size()) {
        std::vector<Table::Cell> row{{results[at].instance, Style::plain}};
        for (std::size_t i = 0; i < archs.size() && at + i < results.size(); ++i) {
            const auto& result = results[at + i];
            std::string cell = result.cubin ? result.target.substr(result.target.find('_') + 1)
                                            : std::string(to_string(result.status));
            if (result.error) {
                auto reason = reason_of(result);
                // The same reason for several archs is one note.
                if (const auto colon = reason.find(": "); colon != std::string::npos)
                    reason = result.instance + reason.substr(colon);
                auto found = std::find(reasons.begin(), reasons.end(), reason);
                if (found == reasons.end())
                    found = reasons.insert(reasons.end(), reason);
                cell += fmt::format(" ({})", found - reasons.begin() + 1);
            }
            row.push_back({std::move(cell), style_of(result.status)});
        }
        table.rows.push_back(std::move(row));
    }
    auto text = table.str();
    for (std::size_t i = 0; i < reasons.size(); ++i)
        text += fmt::format("({}) {}\n", i + 1, reasons[i]);
    return text;
}

} // namespace kiln::cli
