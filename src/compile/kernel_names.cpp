// SPDX-License-Identifier: Apache-2.0
#include "compile/kernel_names.h"

#include "base/text.h"

#include <kiln/error.h>

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>

namespace kiln::compile {

namespace {

constexpr std::size_t names_shown = 8;

std::string quoted_list(const std::vector<std::string>& names) {
    std::vector<std::string> shown;
    for (const auto& name : names) {
        if (shown.size() == names_shown)
            break;
        shown.push_back('`' + name + '`');
    }
    auto text = base::join(shown, ", ");
    if (names.size() > names_shown)
        text += fmt::format(" and {} more", names.size() - names_shown);
    return text;
}

// Where the bracket that is closed by the last character opens; npos if it does not.
std::size_t opening_of_last(std::string_view text) noexcept {
    int depth = 0;
    for (std::size_t i = text.size(); i-- > 0;) {
        depth += text[i] == ')' ? 1 : text[i] == '(' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return std::string_view::npos;
}

// Where the name starts: a return type ends with the last blank outside of brackets.
std::size_t start_of_name(std::string_view text) noexcept {
    int depth = 0;
    for (std::size_t i = text.size(); i-- > 0;) {
        const char letter = text[i];
        if (letter == ')' || letter == '>' || letter == ']' || letter == '}')
            ++depth;
        else if (letter == '(' || letter == '<' || letter == '[' || letter == '{')
            --depth;
        else if (letter == ' ' && depth == 0)
            return i + 1;
    }
    return 0;
}

bool matches_pattern(const std::string& pattern, const std::string& symbol) {
    const auto prefix = std::string_view(pattern).substr(0, pattern.size() - 1);
    return symbol.starts_with(prefix) || qualified_name(symbol).starts_with(prefix);
}

[[noreturn]] void missing(const std::string& message, const std::vector<KernelInfo>& present) {
    std::vector<std::string> names;
    for (const auto& kernel : present)
        names.push_back(kernel.symbol.starts_with("_Z") ? demangled(kernel.symbol) : kernel.symbol);
    throw Error(ErrorCode::kernel_missing, message,
                names.empty() ? "no kernel was compiled: a template is only when an expression "
                                "such as `kernel<float>` asks for it"
                              : "the compiled kernels are " + quoted_list(names));
}

void note(KernelInfo& kernel, const std::string& wanted) {
    auto& expressions = kernel.expressions;
    if (wanted != kernel.symbol &&
        std::find(expressions.begin(), expressions.end(), wanted) == expressions.end())
        expressions.push_back(wanted);
}

KernelInfo* find_symbol(std::vector<KernelInfo>& present, std::string_view symbol) {
    const auto found = std::find_if(present.begin(), present.end(), [&](const KernelInfo& kernel) {
        return kernel.symbol == symbol;
    });
    return found == present.end() ? nullptr : &*found;
}

KernelInfo& find_plain(std::vector<KernelInfo>& present, const std::string& name) {
    if (auto* kernel = find_symbol(present, name))
        return *kernel;
    KernelInfo* found = nullptr;
    std::vector<std::string> all;
    for (auto& kernel : present) {
        if (qualified_name(kernel.symbol) == name) {
            found = &kernel;
            all.push_back(kernel.symbol);
        }
    }
    if (all.size() > 1)
        throw Error(ErrorCode::kernel_missing, fmt::format("kernel `{}` is overloaded", name),
                    "ask for one of the symbols " + quoted_list(all));
    if (found == nullptr)
        missing(fmt::format("kernel `{}` is not in the cubin", name), present);
    return *found;
}

bool is_word(char letter) noexcept {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// What may stand between `__global__` and the name with brackets of its own.
bool is_attribute(std::string_view word) noexcept {
    return word.starts_with("__") || word == "decltype" || word == "requires" || word == "noexcept";
}

} // namespace

bool is_pattern(std::string_view kernel) noexcept {
    return kernel.ends_with('*');
}

bool is_expression(std::string_view kernel) noexcept {
    return !is_pattern(kernel) && (kernel.find('<') != std::string_view::npos ||
                                   kernel.find("::") != std::string_view::npos);
}

std::string demangled(const std::string& symbol) {
    if (!symbol.starts_with("_Z"))
        return symbol;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? std::string(text.get()) : symbol;
}

std::string qualified_name(const std::string& symbol) {
    auto text = base::replace_all(demangled(symbol), "(anonymous namespace)::", "");
    if (text.ends_with(')'))
        text.erase(std::min(opening_of_last(text), text.size()));
    return text.substr(start_of_name(text));
}

void match_kernels(std::span<const std::string> wanted, const LoweredNames& lowered,
                   std::vector<KernelInfo>& present) {
    for (const auto& name : wanted) {
        if (is_pattern(name)) {
            if (std::none_of(present.begin(), present.end(), [&](const KernelInfo& kernel) {
                    return matches_pattern(name, kernel.symbol);
                }))
                missing(fmt::format("no kernel in the cubin begins with `{}`",
                                    name.substr(0, name.size() - 1)),
                        present);
            continue;
        }
        const auto known = lowered.find(name);
        KernelInfo* kernel = nullptr;
        if (known != lowered.end())
            kernel = find_symbol(present, known->second);
        else if (!is_expression(name))
            kernel = &find_plain(present, name);
        if (kernel == nullptr)
            missing(fmt::format("kernel `{}` is not in the cubin", name), present);
        note(*kernel, name);
    }
    if (present.empty())
        missing("the cubin holds no kernel", present);
}

std::vector<std::string> declared_kernels(std::string_view source) {
    constexpr std::string_view mark = "__global__";
    constexpr std::size_t reach = 1000; // from the mark to the name
    std::vector<std::string> names;
    for (auto at = source.find(mark); at != std::string_view::npos;
         at = source.find(mark, at + mark.size())) {
        const auto text = source.substr(at + mark.size(), reach);
        std::string_view word;
        int depth = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (depth == 0 && is_word(text[i])) {
                const auto begin = i;
                while (i + 1 < text.size() && is_word(text[i + 1]))
                    ++i;
                word = text.substr(begin, i + 1 - begin);
            } else if (text[i] == '(') {
                if (depth == 0 && !word.empty() && !is_attribute(word)) {
                    if (std::find(names.begin(), names.end(), word) == names.end())
                        names.emplace_back(word);
                    break;
                }
                ++depth;
            } else if (text[i] == ')') {
                --depth;
            } else if (text[i] == ';' || text[i] == '{') {
                break;
            }
        }
    }
    return names;
}

} // namespace kiln::compile
