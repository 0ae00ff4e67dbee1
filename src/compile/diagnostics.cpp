// SPDX-License-Identifier: Apache-2.0
#include "compile/diagnostics.h"

#include "base/text.h"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace kiln::compile {

namespace {

constexpr std::size_t message_bytes = 400;
constexpr std::string_view name_map = "__nv_name_map";
constexpr std::string_view expression_prefix = "kiln_kernel_";

bool is_number(std::string_view text) noexcept {
    return base::parse_unsigned(text).has_value();
}

std::string_view without_leading(std::string_view text, std::string_view letters) noexcept {
    const auto begin = text.find_first_not_of(letters);
    return begin == std::string_view::npos ? std::string_view{} : text.substr(begin);
}

// What follows `error` and an optional number such as `#20-D`: `: the message`.
std::optional<std::string> message_after(std::string_view text) {
    if (text.starts_with(" #")) {
        const auto colon = text.find(':');
        if (colon == std::string_view::npos)
            return std::nullopt;
        text.remove_prefix(colon);
    }
    text = without_leading(text, " ");
    if (!text.starts_with(':'))
        return std::nullopt;
    return std::string(base::trim(text.substr(1)));
}

// `/a/b.cu(12): error: text`, also catastrophic and internal errors.
std::optional<FirstError> front_end_error(std::string_view line) {
    constexpr std::array<std::string_view, 3> kinds{"): error", "): catastrophic error",
                                                    "): internal error"};
    for (const auto kind : kinds) {
        const auto close = line.find(kind);
        if (close == std::string_view::npos)
            continue;
        const auto open = line.rfind('(', close);
        if (open == std::string_view::npos || !is_number(line.substr(open + 1, close - open - 1)))
            continue;
        if (auto text = message_after(line.substr(close + kind.size())))
            return FirstError{std::move(*text),
                              fmt::format("{}:{}", line.substr(0, open),
                                          line.substr(open + 1, close - open - 1))};
    }
    return std::nullopt;
}

// `a.cu:1:10: fatal error: text`, `cc1plus: fatal error: text`.
std::optional<FirstError> gcc_error(std::string_view line) {
    for (const std::string_view kind : {": fatal error: ", ": error: "}) {
        const auto at = line.find(kind);
        if (at == std::string_view::npos)
            continue;
        FirstError error{std::string(base::trim(line.substr(at + kind.size()))), {}};
        auto place = line.substr(0, at);
        const auto column = place.rfind(':');
        if (column != std::string_view::npos && is_number(place.substr(column + 1))) {
            auto file = place.substr(0, column);
            const auto number = file.rfind(':');
            const bool both =
                number != std::string_view::npos && is_number(file.substr(number + 1));
            error.location = std::string(both ? file : place);
        }
        return error;
    }
    return std::nullopt;
}

// `ptxas application ptx input, line 37; error   : text`, `ptxas fatal   : text`, `nvcc fatal   :`.
std::optional<FirstError> tool_error(std::string_view line) {
    for (const std::string_view kind : {"error", "fatal"}) {
        const auto at = line.find(kind);
        if (at == std::string_view::npos)
            continue;
        const auto before = line.substr(0, at);
        const bool ours = before.starts_with("ptxas ") || before == "nvcc " ||
                          before == "fatbinary " || before == "nvrtc: " || before == "nvlink " ||
                          before == "Command-line ";
        if (!ours)
            continue;
        if (auto text = message_after(line.substr(at + kind.size())))
            return FirstError{std::move(*text), {}};
    }
    return std::nullopt;
}

// `sh: 1: cicc: not found`, `gcc: No such file or directory`.
std::optional<FirstError> shell_error(std::string_view line) {
    if (line.starts_with("sh: ") || line.ends_with(": No such file or directory") ||
        line.ends_with("No space left on device"))
        return FirstError{std::string(line), {}};
    return std::nullopt;
}

bool holds(std::string_view text, std::string_view part) noexcept {
    return text.find(part) != std::string_view::npos;
}

// The expression that a failure in the name map is about.
std::string blamed_expression(const Job& job, std::string_view location, std::string_view log) {
    if (location.starts_with(expression_prefix)) {
        auto digits = location.substr(expression_prefix.size());
        const auto index = base::parse_unsigned(digits.substr(0, digits.find(':')));
        return index && *index < job.kernels.size() ? job.kernels[*index] : std::string();
    }
    constexpr std::string_view before = "Input name expression was: \"";
    const auto at = log.find(before);
    if (at == std::string_view::npos)
        return {};
    const auto rest = log.substr(at + before.size());
    return std::string(base::trim(rest.substr(0, rest.find('"'))));
}

// Why a file could not be opened that is there: `cannot open source file "a.h": Too many open
// files`. Empty where it is missing, or nothing was to be opened.
std::string_view open_failure(std::string_view text) {
    constexpr std::string_view missing = "No such file or directory";
    const auto opening = text.find("open source file \"");
    const auto reason = opening == std::string_view::npos ? opening : text.find("\": ", opening);
    if (reason == std::string_view::npos)
        return {};
    const auto why = text.substr(reason + 3);
    return why.starts_with(missing) ? std::string_view{} : why;
}

ErrorCode code_of(const FirstError& error, std::string_view log) {
    if (error.location.starts_with(name_map) || error.location.starts_with(expression_prefix))
        return ErrorCode::kernel_missing;
    if (!missing_header(error).empty())
        return ErrorCode::header_missing;
    if (holds(log, "invalid value for --gpu-architecture") || holds(log, "--nv_arch flag") ||
        holds(error.text, "Unsupported gpu architecture"))
        return ErrorCode::unsupported_target;
    if (holds(log, "died due to signal") || holds(log, "Killed signal"))
        return ErrorCode::compiler_crashed;
    if (holds(log, "No space left on device") || !open_failure(error.text).empty())
        return ErrorCode::io;
    if (holds(error.text, "unsupported GNU version") ||
        holds(error.text, "unsupported clang version") || error.text.starts_with("sh: ") ||
        holds(log, "Failed to preprocess host compiler properties") ||
        holds(error.text, "Host compiler targets unsupported OS"))
        return ErrorCode::toolkit_unfit;
    return ErrorCode::compile_failed;
}

std::string compiler_of(const Job& job) {
    return (job.backend == Backend::nvrtc ? "NVRTC " : "nvcc ") + job.toolkit.version.str();
}

} // namespace

FirstError first_error(std::string_view log) {
    std::string_view first_line;
    for (auto line : base::split(log, '\n')) {
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        for (const auto read : {front_end_error, tool_error, gcc_error, shell_error}) {
            if (auto error = read(line))
                return std::move(*error);
        }
        if (first_line.empty())
            first_line = base::trim(line);
    }
    return {std::string(first_line), {}};
}

std::string missing_header(const FirstError& error) {
    if (!open_failure(error.text).empty())
        return {};
    for (const std::string_view opening :
         {"cannot open source file \"", "could not open source file \""}) {
        const auto at = error.text.find(opening);
        if (at == std::string::npos)
            continue;
        const auto name = error.text.substr(at + opening.size());
        return name.substr(0, name.find('"'));
    }
    constexpr std::string_view ending = ": No such file or directory";
    if (error.text.ends_with(ending) && !error.location.empty())
        return error.text.substr(0, error.text.size() - ending.size());
    return {};
}

std::string bounded_log(std::string_view log) {
    constexpr std::size_t head = 48u << 10;
    constexpr std::size_t tail = 15u << 10;
    if (log.size() <= (64u << 10))
        return std::string(log);
    return fmt::format("{}\n[... {} bytes left out ...]\n{}", log.substr(0, head),
                       log.size() - head - tail, log.substr(log.size() - tail));
}

std::string expression_file(std::size_t index) {
    return fmt::format("{}{}", expression_prefix, index);
}

Error of_job(const Error& error, const Job& job) {
    return error.with("module", job.label).with("target", job.target.str());
}

Error explain_failure(const Job& job, std::string_view log) {
    const auto error = first_error(log);
    const auto code = code_of(error, log);
    auto text = error.text.empty() ? std::string("the compiler failed and said nothing")
                                   : error.text.substr(0, message_bytes);
    std::string hint = hint_for(job, error, log);
    Error::Context context;
    const std::string subject = fmt::format(
        "{} for {} with {}", job.label.empty() ? job.source.filename().string() : job.label,
        job.target.str(), compiler_of(job));
    std::string message = fmt::format("{}: {}", subject, text);
    if (code == ErrorCode::kernel_missing) {
        message =
            fmt::format("{}: `{}` names no kernel in {}: {}", subject,
                        blamed_expression(job, error.location, log), job.source.string(), text);
    } else {
        if (code == ErrorCode::header_missing) {
            const auto header = missing_header(error);
            message = fmt::format("{}: header `{}` is not found", subject, header);
            context.emplace_back("header", header);
            context.emplace_back("from", error.location);
        }
        if (!error.location.empty()) {
            message += fmt::format(" ({})", error.location);
            context.emplace_back("location", error.location);
        }
    }
    context.emplace_back("log", bounded_log(log));
    return of_job(Error(code, std::move(message), std::move(hint), std::move(context)), job);
}

} // namespace kiln::compile
