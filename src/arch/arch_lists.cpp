// SPDX-License-Identifier: Apache-2.0
#include "arch/arch_lists.h"

#include "arch/advice.h"
#include "arch/arch_names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace kiln::arch {
namespace {

constexpr std::array<std::string_view, 1> torch_variables{"TORCH_CUDA_ARCH_LIST"};
constexpr std::array<std::string_view, 1> flashinfer_variables{"FLASHINFER_CUDA_ARCH_LIST"};
// CMake itself reads CUDAARCHS; the other is what build scripts hand on to it.
constexpr std::array<std::string_view, 2> cmake_variables{"CMAKE_CUDA_ARCHITECTURES", "CUDAARCHS"};

constexpr std::string_view blanks = " \t\r\n";

struct Word {
    std::size_t column = 0; ///< counted from 1
    std::string_view text;
};

/// The words between the separators. Blanks beside a semicolon belong to it, but two semicolons
/// have an empty word between them.
std::vector<Word> words_of(ListSyntax syntax, std::string_view text) {
    std::vector<Word> words;
    const auto by_blanks = [&](std::size_t begin, std::size_t end) {
        const auto count = words.size();
        while (true) {
            const auto first = text.find_first_not_of(blanks, begin);
            if (first >= end)
                break;
            begin = std::min(text.find_first_of(blanks, first), end);
            words.push_back({first + 1, text.substr(first, begin - first)});
        }
        if (words.size() == count)
            words.push_back({begin + 1, {}});
    };
    if (base::trim(text).empty())
        return {};
    if (syntax == ListSyntax::flashinfer) {
        by_blanks(0, text.size());
        return words;
    }
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto end = std::min(text.find(';', begin), text.size());
        by_blanks(begin, end);
        begin = end + 1;
    }
    return words;
}

/// What is wrong with a word, and how it would be written; an empty reason is none.
struct Outcome {
    std::vector<ListEntry> entries;
    Advice advice;
};

std::string spelled(ListSyntax syntax, const Spelling& spelling) {
    const auto* const suffix = spelling.suffix == Suffix::a   ? "a"
                               : spelling.suffix == Suffix::f ? "f"
                                                              : "";
    if (syntax == ListSyntax::cmake)
        return fmt::format("{}{}{}", spelling.capability.number(), suffix,
                           spelling.form == Form::compute ? "-virtual" : "");
    return fmt::format("{}{}{}", spelling.capability.str(), suffix,
                       spelling.with_ptx && syntax == ListSyntax::torch ? "+PTX" : "");
}

/// A word that Kiln's own grammar, or its advice, understands is suggested in the list's syntax.
Outcome refused(ListSyntax syntax, std::string_view word, std::string reason = {}) {
    auto spelling = read(word);
    auto advice = spelling ? Advice{} : advise(word);
    if (!spelling)
        spelling = read(advice.suggestion.substr(0, advice.suggestion.find(' ')));
    Outcome outcome;
    outcome.advice.reason = !reason.empty() ? std::move(reason)
                            : advice.reason.empty()
                                ? fmt::format("{} does not write archs this way", to_string(syntax))
                                : std::move(advice.reason);
    if (spelling)
        outcome.advice.suggestion = spelled(syntax, *spelling);
    return outcome;
}

Outcome read_torch(std::string_view word) {
    if (const auto* name = find_arch_name(word))
        return {name->entries, {name->refused, {}}};
    const auto spelling = read(word);
    if (spelling && spelling->form == Form::dotted)
        return {{{ListEntry::Kind::arch, ArchRequest::parse(word)}}, {}};
    auto outcome = refused(ListSyntax::torch, word);
    if (outcome.advice.suggestion.empty()) {
        std::vector<std::string> names;
        for (const auto& one : arch_names())
            names.push_back(one.name);
        outcome.advice.suggestion = base::nearest(word, names).value_or("");
    }
    return outcome;
}

Outcome read_flashinfer(std::string_view word) {
    const auto spelling = read(word);
    if (!spelling || spelling->form != Form::dotted)
        return refused(ListSyntax::flashinfer, word);
    if (spelling->with_ptx)
        return refused(ListSyntax::flashinfer, word, "FlashInfer has no `+PTX`");
    return {{{ListEntry::Kind::arch, ArchRequest::parse(word)}}, {}};
}

/// What CMake takes for false: it then passes no arch to the compiler.
bool is_off(std::string_view word) {
    const auto lower = base::to_lower(word);
    constexpr std::array<std::string_view, 7> values{"off", "no",     "false",   "n",
                                                     "0",   "ignore", "notfound"};
    return std::find(values.begin(), values.end(), lower) != values.end() ||
           lower.ends_with("-notfound");
}

Outcome read_cmake(std::string_view word, bool alone) {
    constexpr std::array<std::pair<std::string_view, ListEntry::Kind>, 3> special{
        {{"all", ListEntry::Kind::all},
         {"all-major", ListEntry::Kind::all_major},
         {"native", ListEntry::Kind::native}}};
    for (const auto& [name, kind] : special) {
        if (word != name)
            continue;
        if (!alone)
            return {{}, {"CMake takes this word only where it is the whole value", {}}};
        return {{{kind, {}}}, {}};
    }
    if (is_off(word))
        return {{},
                {"it tells CMake to pass no arch; which archs the compiler's flags then name is "
                 "not read",
                 {}}};
    const auto dash = word.find('-');
    const auto name = word.substr(0, dash);
    const auto ending = dash == std::string_view::npos ? "" : word.substr(dash);
    const bool number = name.find_first_not_of("0123456789af") == std::string_view::npos;
    const auto spelling = number ? read("sm_" + std::string(name)) : std::nullopt;
    if (!spelling)
        return refused(ListSyntax::cmake, word);
    if (ending != "" && ending != "-real" && ending != "-virtual")
        return {{},
                {fmt::format("{} is neither `-real` nor `-virtual`", quoted(ending)),
                 std::string(name)}};
    ArchRequest arch{spelling->target(), true, ending.empty()};
    if (ending == "-virtual")
        arch.target.kind = TargetKind::virtual_;
    return {{{ListEntry::Kind::arch, arch}}, {}};
}

Outcome read_word(ListSyntax syntax, std::string_view word, bool alone) {
    if (word.empty())
        return {{}, {"it is empty", {}}};
    switch (syntax) {
    case ListSyntax::torch:
        return read_torch(word);
    case ListSyntax::flashinfer:
        return read_flashinfer(word);
    case ListSyntax::cmake:
        break;
    }
    return read_cmake(word, alone);
}

} // namespace

std::optional<ListSyntax> list_syntax(std::string_view name) noexcept {
    for (const auto syntax : {ListSyntax::torch, ListSyntax::flashinfer, ListSyntax::cmake})
        if (name == to_string(syntax))
            return syntax;
    return std::nullopt;
}

std::string_view to_string(ListSyntax syntax) noexcept {
    switch (syntax) {
    case ListSyntax::torch:
        return "torch";
    case ListSyntax::flashinfer:
        return "flashinfer";
    case ListSyntax::cmake:
        break;
    }
    return "cmake";
}

std::span<const std::string_view> variables_of(ListSyntax syntax) noexcept {
    switch (syntax) {
    case ListSyntax::torch:
        return torch_variables;
    case ListSyntax::flashinfer:
        return flashinfer_variables;
    case ListSyntax::cmake:
        break;
    }
    return cmake_variables;
}

std::vector<ListEntry> read_list(ListSyntax syntax, std::string_view text,
                                 std::string_view source) {
    const auto words = words_of(syntax, text);
    std::vector<ListEntry> entries;
    std::vector<std::string> reasons;
    std::vector<std::string> hints;
    Error::Context context{{"list", std::string(text)}};
    for (const auto& word : words) {
        const auto outcome = read_word(syntax, word.text, words.size() == 1);
        entries.insert(entries.end(), outcome.entries.begin(), outcome.entries.end());
        if (outcome.advice.reason.empty())
            continue;
        reasons.push_back(fmt::format("{} at column {}: {}", quoted(word.text), word.column,
                                      outcome.advice.reason));
        if (!outcome.advice.suggestion.empty())
            hints.push_back(fmt::format("{} for {}", outcome.advice.suggestion, quoted(word.text)));
        context.emplace_back("entry", word.text);
    }
    if (words.empty())
        throw Error(ErrorCode::unknown_arch, fmt::format("{} holds no arch", source), "",
                    std::move(context));
    if (!reasons.empty())
        throw Error(ErrorCode::unknown_arch,
                    fmt::format("{}: {} of {} entries not understood: {}", source, reasons.size(),
                                words.size(), base::join(reasons, "; ")),
                    hints.empty() ? std::string() : "write " + base::join(hints, ", "),
                    std::move(context));
    return entries;
}

} // namespace kiln::arch
