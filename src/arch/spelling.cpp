// SPDX-License-Identifier: Apache-2.0
#include "arch/spelling.h"

namespace kiln::arch {

namespace {

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

bool take(std::string_view& text, std::string_view prefix) noexcept {
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

std::string_view take_digits(std::string_view& text) noexcept {
    std::size_t count = 0;
    while (count < text.size() && is_digit(text[count]))
        ++count;
    const auto digits = text.substr(0, count);
    text.remove_prefix(count);
    return digits;
}

std::optional<ComputeCapability> capability(std::string_view major,
                                            std::string_view minor) noexcept {
    if (major.empty() || major.size() > 2 || major.front() == '0' || minor.size() != 1)
        return std::nullopt;
    std::uint16_t value = 0;
    for (const char digit : major)
        value = static_cast<std::uint16_t>(value * 10 + (digit - '0'));
    return ComputeCapability{value, static_cast<std::uint16_t>(minor.front() - '0')};
}

} // namespace

Target Spelling::target() const noexcept {
    return {capability, suffix, form == Form::compute ? TargetKind::virtual_ : TargetKind::real};
}

std::optional<Spelling> read(std::string_view text) noexcept {
    Spelling spelling;
    if (take(text, "sm_"))
        spelling.form = Form::sm;
    else if (take(text, "compute_"))
        spelling.form = Form::compute;

    auto digits = take_digits(text);
    std::string_view minor;
    if (spelling.form == Form::dotted) {
        if (!take(text, "."))
            return std::nullopt;
        minor = take_digits(text);
    } else if (!digits.empty()) {
        minor = digits.substr(digits.size() - 1);
        digits.remove_suffix(1);
    }
    const auto value = capability(digits, minor);
    if (!value)
        return std::nullopt;
    spelling.capability = *value;

    if (take(text, "a"))
        spelling.suffix = Suffix::a;
    else if (take(text, "f"))
        spelling.suffix = Suffix::f;
    spelling.with_ptx = spelling.form != Form::compute && take(text, "+PTX");
    if (!text.empty())
        return std::nullopt;
    return spelling;
}

} // namespace kiln::arch
