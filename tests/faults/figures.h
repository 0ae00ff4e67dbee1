// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

namespace kiln::test {

/// Whether the long form was asked for: KILN_FAULTS=long.
inline bool long_form() {
    const char* form = std::getenv("KILN_FAULTS");
    return form != nullptr && std::string(form) == "long";
}

/// A number from the environment, or what the form has.
inline int amount(const char* variable, int short_form, int in_long_form) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::atoi(text) : long_form() ? in_long_form : short_form;
}

/// Adds a line of JSON to the file that KILN_FAULTS_FIGURES names, if any.
inline void report(const std::string& suite,
                   std::initializer_list<std::pair<const char*, double>> figures) {
    const char* file = std::getenv("KILN_FAULTS_FIGURES");
    if (file == nullptr)
        return;
    std::string line = "{\"suite\": \"" + suite + "\"";
    for (const auto& [name, value] : figures) {
        std::string number = std::to_string(value);
        number.erase(number.find_last_not_of('0') + 1);
        if (number.back() == '.')
            number.pop_back();
        line += std::string(", \"") + name + "\": " + number;
    }
    std::ofstream(file, std::ios::app) << line + "}\n";
}

} // namespace kiln::test
