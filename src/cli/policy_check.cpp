// SPDX-License-Identifier: Apache-2.0
#include "cli/json_output.h"
#include "cli/policy_verbs.h"
#include "cli/terminal.h"
#include "policy/findings.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>

namespace kiln::cli {
namespace {

Json to_json(const policy::Finding& finding) {
    return {{"location", finding.location},
            {"message", finding.message},
            {"hint", text_or_null(finding.hint)},
            {"rule", text_or_null(finding.rule)}};
}

Json list_of(const std::vector<policy::Finding>& findings) {
    Json list = Json::array();
    for (const auto& finding : findings)
        list.push_back(to_json(finding));
    return list;
}

void print(std::FILE* stream, const std::vector<policy::Finding>& findings, const char* severity,
           Style style) {
    for (const auto& finding : findings) {
        fmt::print(stream, "{}: {} {}{}\n", finding.location,
                   styled(std::string(severity) + ":", style), finding.message,
                   finding.hint.empty() ? std::string() : fmt::format(" ({})", finding.hint));
    }
}

/// The documents of all layers; without a catalog where it cannot be read, which is told apart.
std::vector<policy::Document> documents_of(const Service::State& state,
                                           const catalog::Catalog* catalog) {
    auto documents = state.settings.policies;
    if (catalog != nullptr) {
        for (const auto& file : catalog->policies())
            documents.push_back({policy::Layer::library, file.value, std::nullopt});
    }
    return documents;
}

} // namespace

ExitCode check_policy(Session& session) {
    const auto& state = session.state();
    const catalog::Catalog* catalog = nullptr;
    std::optional<policy::Finding> trouble;
    try {
        catalog = &state.catalog();
    } catch (const Error& error) {
        trouble = {std::string(error.context("location")), {}, error.message(), error.hint()};
    }
    auto findings =
        policy::check(documents_of(state, catalog), catalog, state.settings.experiments);
    if (trouble)
        findings.errors.insert(findings.errors.begin(), *trouble);
    if (session.options.json) {
        print_json({{"rules", findings.rules},
                    {"errors", list_of(findings.errors)},
                    {"warnings", list_of(findings.warnings)}});
    } else {
        print(stderr, findings.errors, "error", Style::bad);
        print(stdout, findings.warnings, "warning", Style::warning);
        fmt::print("{} rules, {} errors, {} warnings\n", findings.rules, findings.errors.size(),
                   findings.warnings.size());
    }
    const bool fails =
        !findings.errors.empty() || (session.options.strict && !findings.warnings.empty());
    return fails ? ExitCode::usage : ExitCode::done;
}

} // namespace kiln::cli
