// SPDX-License-Identifier: Apache-2.0
#include "catalog/target_forms.h"

#include "base/text.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace kiln::catalog {

TargetForm TargetForm::parse(std::string_view text) {
    if (text == "f") {
        return {Suffix::f, {}};
    }
    if (text == "a") {
        return {Suffix::a, {}};
    }
    if (text == "plain") {
        return {Suffix::none, {}};
    }
    if (text.starts_with("sm_")) {
        try {
            const Target target = Target::parse(text);
            return {target.suffix, target};
        } catch (const Error&) {
            // The message below says more.
        }
    }
    throw Error(ErrorCode::usage, fmt::format("`{}` names no target", text),
                "write `f`, `a`, `plain`, or a target in full such as `sm_120a`");
}

bool TargetForm::covers(const Target& target) const noexcept {
    if (exact) {
        return exact->capability == target.capability && exact->suffix == target.suffix;
    }
    return suffix == target.suffix;
}

std::string TargetForm::str() const {
    if (exact) {
        return exact->str();
    }
    switch (suffix) {
    case Suffix::f:
        return "f";
    case Suffix::a:
        return "a";
    case Suffix::none:
        break;
    }
    return "plain";
}

std::vector<TargetForm> parse_target_forms(const std::vector<std::string>& texts) {
    std::vector<TargetForm> forms;
    for (const std::string& text : texts) {
        for (const auto part : base::split(text, ',')) {
            TargetForm form = TargetForm::parse(base::trim(part));
            const auto same = [&form](const TargetForm& other) {
                return other.suffix == form.suffix && other.exact == form.exact;
            };
            if (std::any_of(forms.begin(), forms.end(), same)) {
                throw Error(ErrorCode::usage, fmt::format("`{}` is named twice", form.str()));
            }
            forms.push_back(form);
        }
    }
    return forms;
}

bool covers(const std::vector<TargetForm>& forms, const Target& target) noexcept {
    return std::any_of(forms.begin(), forms.end(),
                       [&target](const TargetForm& form) { return form.covers(target); });
}

std::string str(const std::vector<TargetForm>& forms) {
    std::string text = "[";
    for (const TargetForm& form : forms) {
        text += (text.size() > 1 ? ", " : "") + form.str();
    }
    return text + "]";
}

} // namespace kiln::catalog
