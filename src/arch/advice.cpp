// SPDX-License-Identifier: Apache-2.0
#include "arch/advice.h"

#include "base/text.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace kiln::arch {

namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view lower_case = "abcdefghijklmnopqrstuvwxyz";

bool all_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

/// Where the run of `characters` that begins at `begin` ends.
std::size_t run_end(std::string_view text, std::string_view characters, std::size_t begin) {
    const auto end = text.find_first_not_of(characters, begin);
    return end == std::string_view::npos ? text.size() : end;
}

// Each repair undoes one habit (another tool's spelling, a slip of the finger) and returns the text
// as it was if the habit is not there.

std::string without_blanks(std::string text) {
    return std::string(base::trim(text));
}

std::string in_lower_case(std::string text) {
    return base::replace_all(base::to_lower(text), "+ptx", "+PTX");
}

std::string with_point(std::string text) {
    const auto comma = text.find(',');
    if (comma != std::string::npos && all_digits(text.substr(0, comma)) &&
        text.find(',', comma + 1) == std::string::npos)
        text[comma] = '.';
    return text;
}

std::string without_cmake_ending(std::string text) {
    for (const auto& [ending, prefix] :
         {std::pair<std::string_view, std::string_view>{"-real", "sm_"}, {"-virtual", "compute_"}})
        if (text.ends_with(ending)) {
            text.resize(text.size() - ending.size());
            const auto point = text.find('.');
            if (point != std::string::npos)
                text.erase(point, 1);
            return std::string(prefix).append(text);
        }
    return text;
}

std::string without_lto(std::string text) {
    return text.starts_with("lto_") ? text.replace(0, 3, "sm") : text;
}

/// `sm90`, `sm-90`, `s_90`, `comput_90`.
std::string with_prefix(std::string text) {
    static const std::vector<std::string> prefixes{"sm", "compute"};
    const auto letters = run_end(text, lower_case, 0);
    if (letters == 0)
        return text;
    const auto number = text.find_first_of(digits, letters);
    if (number == std::string::npos || number > letters + 1)
        return text;
    const auto prefix = base::nearest(text.substr(0, letters), prefixes);
    return prefix ? *prefix + "_" + text.substr(number) : text;
}

std::string without_point(std::string text) {
    const auto point = text.find('.');
    if (point != std::string::npos && (text.starts_with("sm_") || text.starts_with("compute_")))
        text.erase(point, 1);
    return text;
}

std::string with_short_minor(std::string text) {
    const auto point = text.find('.');
    if (point == std::string::npos)
        return text;
    const auto end = run_end(text, digits, point + 1);
    // 12.10 may be meant as 12.1, 12.15 as nothing.
    if (end > point + 2 && text.find_first_not_of('0', point + 2) >= end)
        text.erase(point + 2, end - point - 2);
    return text;
}

std::string without_ptx(std::string text) {
    return text.starts_with("compute_") && text.ends_with("+PTX") ? text.substr(0, text.size() - 4)
                                                                  : text;
}

struct Repair {
    std::string (*apply)(std::string);
    std::string_view reason;
};
constexpr std::array<Repair, 9> repairs{{
    {without_blanks, "it has a blank before or after it"},
    {in_lower_case, "names are in lower case, and `+PTX` in upper case"},
    {with_point, "the minor version follows a point, not a comma"},
    {without_cmake_ending, "`-real` and `-virtual` are another tool's words"},
    {without_lto, "`lto_` names an intermediate of the linker, not a target"},
    {with_prefix, "a target begins with `sm_` or `compute_`"},
    {without_point, "a target is written without a point"},
    {with_short_minor, "the minor version has one digit"},
    {without_ptx, "`compute_` is PTX already"},
}};

/// `9`, `90`, `90a`: a number that may be meant as one or as the other.
std::optional<Advice> advise_number(std::string_view text) {
    const auto end = run_end(text, digits, 0);
    const auto suffix = text.substr(end);
    if (end == 0 || end > 3 || (!suffix.empty() && suffix != "a" && suffix != "f"))
        return std::nullopt;
    auto number = std::string(text.substr(0, end));
    // Two digits below 50 are a major version; no toolkit has compiled for 4.x and less for long.
    const bool major_only = end == 1 || (end == 2 && number < "50");
    if (major_only)
        number += '0';
    const auto named = fmt::format("sm_{}{}", number, suffix);
    const auto spelling = read(named);
    if (!spelling)
        return std::nullopt;
    return Advice{major_only ? "the minor version is missing"
                             : "a bare number is neither a capability nor a target",
                  fmt::format("{}{} or {}", spelling->capability.str(), suffix, named)};
}

/// A valid spelling with more letters behind it: `9.0af`, `sm_90b`.
std::optional<Advice> advise_suffix(std::string_view text) {
    const auto last = text.find_last_of(digits);
    if (last == std::string_view::npos || last + 1 == text.size())
        return std::nullopt;
    const auto stem = text.substr(0, last + 1);
    if (!read(stem))
        return std::nullopt;
    const auto ending = text.substr(last + 1);
    if (ending.find(' ') != std::string_view::npos)
        return std::nullopt;
    if (ending == "af" || ending == "fa")
        return Advice{"it can have one suffix only", fmt::format("{}a or {}f", stem, stem)};
    return Advice{fmt::format("{} is no suffix; there are `a`, `f` and `+PTX`", quoted(ending)),
                  std::string(stem)};
}

std::string_view reason_without_suggestion(std::string_view text) {
    if (text.empty())
        return "it is empty";
    if (text == "all" || text == "native")
        return "it stands for all that a toolkit or the devices have, not for one target";
    if (text.find_first_of(digits) == std::string_view::npos)
        return "there is no version in it";
    if (text.find_first_of(";: ") != std::string_view::npos)
        return "entries of a list are separated by commas";
    const auto begin = text.find_first_of(digits);
    const auto value = text.substr(begin, run_end(text, digits, begin) - begin);
    if (value.size() > 2 && text.substr(begin + value.size()).starts_with('.'))
        return "the major version has at most two digits";
    if (value.front() == '0')
        return "the major version does not begin with 0";
    return "it is neither `major.minor` nor a target";
}

constexpr std::string_view forms = "write a capability such as 12.0, or a target such as sm_120, "
                                   "sm_120a, sm_120f or compute_120";

} // namespace

std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string quoted = "'";
    for (const char c : text.substr(0, longest)) {
        if (c >= 0x20 && c < 0x7f)
            quoted += c;
        else
            quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return quoted + (text.size() > longest ? "...'" : "'");
}

Advice advise(std::string_view text) {
    // Nothing that long was meant as one entry, and the repairs are quadratic.
    constexpr std::size_t longest = 40;
    std::string repaired(text.substr(0, longest));
    std::string_view reason;
    for (const auto& repair : repairs) {
        auto next = repair.apply(repaired);
        if (next == repaired)
            continue;
        if (reason.empty())
            reason = repair.reason;
        repaired = std::move(next);
    }
    if (!reason.empty() && read(repaired))
        return {std::string(reason), std::move(repaired)};
    for (const auto& advice : {advise_number(repaired), advise_suffix(repaired)})
        if (advice)
            return {reason.empty() ? advice->reason : std::string(reason), advice->suggestion};
    return {std::string(reason_without_suggestion(text)), {}};
}

Error refusal(std::string_view text, Wanted wanted) {
    Advice advice;
    std::string hint(forms);
    std::string_view what = "compute capability or target";
    const auto spelling = read(text);
    if (!spelling)
        advice = advise(text);
    if (wanted == Wanted::capability) {
        what = "compute capability";
        hint = "write major.minor, such as 12.0";
        if (spelling)
            advice.reason = spelling->form != Form::dotted     ? "it is a target"
                            : spelling->suffix != Suffix::none ? "a capability has no suffix"
                                                               : "a capability has no `+PTX`";
        // What was suggested may be a target: `SM_90` is answered with 9.0 here.
        const auto meant = spelling ? spelling : read(advice.suggestion);
        if (meant)
            advice.suggestion = meant->capability.str();
    } else if (spelling) {
        advice = {"`+PTX` asks for a second image, and one target is wanted here",
                  std::string(text.substr(0, text.size() - std::string_view("+PTX").size()))};
    }
    if (!advice.suggestion.empty())
        hint = "write " + advice.suggestion;
    return {ErrorCode::unknown_arch,
            fmt::format("{} names no {}: {}", quoted(text), what, advice.reason),
            std::move(hint),
            {{"entry", std::string(text)}}};
}

} // namespace kiln::arch
