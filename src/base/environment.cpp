// SPDX-License-Identifier: Apache-2.0
#include "base/environment.h"

#include <unistd.h>

namespace kiln::base {

Environment::Environment(std::map<std::string, std::string, std::less<>> variables)
    : variables_(std::move(variables)) {}

Environment Environment::of_process() {
    Environment environment;
    for (char** line = environ; line != nullptr && *line != nullptr; ++line) {
        const std::string_view text = *line;
        const auto equals = text.find('=');
        if (equals == 0 || equals == std::string_view::npos)
            continue;
        // Of two lines with one name getenv sees the first.
        environment.variables_.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return environment;
}

std::optional<std::string> Environment::get(std::string_view name) const {
    const auto found = variables_.find(name);
    if (found == variables_.end() || found->second.empty())
        return std::nullopt;
    return found->second;
}

void Environment::set(std::string name, std::string value) {
    variables_.insert_or_assign(std::move(name), std::move(value));
}

void Environment::unset(std::string_view name) {
    const auto found = variables_.find(name);
    if (found != variables_.end())
        variables_.erase(found);
}

std::vector<std::string> Environment::lines() const {
    std::vector<std::string> lines;
    lines.reserve(variables_.size());
    for (const auto& [name, value] : variables_)
        lines.push_back(name + '=' + value);
    return lines;
}

const std::map<std::string, std::string, std::less<>>& Environment::variables() const noexcept {
    return variables_;
}

} // namespace kiln::base
