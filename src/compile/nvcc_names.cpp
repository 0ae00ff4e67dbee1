// SPDX-License-Identifier: Apache-2.0
#include "compile/nvcc_names.h"

#include "base/text.h"
#include "compile/diagnostics.h"

#include <kiln/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace kiln::compile {

namespace {

constexpr std::string_view marker_name = "kiln_name_";

// The symbol that a line of PTX with `directive` declares: `.visible .entry NAME(`.
std::string declared_symbol(std::string_view line, std::string_view directive) {
    const auto at = line.find(directive);
    if (at == std::string_view::npos || line.starts_with("//"))
        return {};
    auto name = base::trim(line.substr(at + directive.size()));
    // A function that returns a value has `(.param ...)` before its name.
    if (name.starts_with('('))
        return {};
    return std::string(name.substr(0, name.find_first_of("( \t;")));
}

// What a marker's name says in C++: the kernel as an argument, and the kernel's parameters.
struct Marker {
    std::size_t index = 0;
    std::string parameters; ///< `(float*, int)`
    std::string argument;   ///< `(void ns::copy<float>(float*, int))` or `ns::copy`
};

// `void kiln_name_3<void (*)(float*), &(void ns::copy<float>(float*))>()`
std::optional<Marker> parse_marker(const std::string& symbol) {
    const std::string name = demangled(symbol);
    const auto at = name.find(marker_name);
    constexpr std::string_view ending = ">()";
    if (at == std::string::npos || !name.ends_with(ending))
        return std::nullopt;
    std::string_view rest(name);
    rest.remove_prefix(at + marker_name.size());
    rest.remove_suffix(ending.size());
    const auto open = rest.find('<');
    constexpr std::string_view pointer = "void (*)";
    if (open == std::string_view::npos || !rest.substr(open + 1).starts_with(pointer))
        return std::nullopt;
    const auto index = base::parse_unsigned(rest.substr(0, open));
    rest.remove_prefix(open + 1 + pointer.size());
    std::size_t end = 0;
    int depth = 0;
    do {
        depth += rest[end] == '(' ? 1 : rest[end] == ')' ? -1 : 0;
        ++end;
    } while (depth > 0 && end < rest.size());
    const auto argument = rest.find(", &", end);
    if (!index || argument == std::string_view::npos)
        return std::nullopt;
    constexpr std::size_t separator = 3;
    return Marker{*index, std::string(rest.substr(0, end)),
                  std::string(rest.substr(argument + separator))};
}

bool names(const Marker& marker, const std::string& kernel) {
    return marker.argument == '(' + kernel + ')' || marker.argument + marker.parameters == kernel ||
           marker.argument == kernel;
}

} // namespace

std::string name_marker(std::size_t index, std::string_view expression) {
    if (std::any_of(expression.begin(), expression.end(),
                    [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; }))
        throw Error(ErrorCode::usage,
                    fmt::format("kernel expression `{}` does not fit on one line", expression));
    auto kernel = base::trim(expression);
    if (kernel.starts_with('&'))
        kernel = base::trim(kernel.substr(1));
    return fmt::format("#line 1 \"{0}\"\n"
                       "template <typename T, T K> __device__ __noinline__ "
                       "__attribute__((used)) static void {1}{2}() {{}}\n"
                       "#line 1 \"{0}\"\n"
                       "template __device__ void {1}{2}<decltype(&{3}), &{3}>();\n",
                       expression_file(index), marker_name, index, kernel);
}

LoweredNames read_name_markers(std::string_view ptx, std::span<const std::string> kernels) {
    std::vector<std::pair<std::string, std::string>> entries; // demangled, symbol
    std::vector<Marker> markers;
    for (const auto line : base::split(ptx, '\n')) {
        if (auto symbol = declared_symbol(line, ".entry "); !symbol.empty()) {
            entries.emplace_back(demangled(symbol), symbol);
        } else if (line.find(marker_name) != std::string_view::npos) {
            if (auto marker = parse_marker(declared_symbol(line, ".func ")))
                markers.push_back(std::move(*marker));
        }
    }
    LoweredNames lowered;
    for (const auto& marker : markers) {
        if (marker.index >= kernels.size())
            continue;
        for (const auto& [name, symbol] : entries) {
            if (names(marker, name))
                lowered.emplace(kernels[marker.index], symbol);
        }
    }
    return lowered;
}

std::string without_name_markers(std::string_view ptx) {
    if (ptx.find(".debug_info") != std::string_view::npos)
        return std::string(ptx);
    std::string text;
    text.reserve(ptx.size());
    bool inside = false;
    for (const auto line : base::split(ptx, '\n')) {
        const bool named = line.find(marker_name) != std::string_view::npos;
        if (named && line.find(".func ") != std::string_view::npos)
            inside = true;
        if (!inside && !named) {
            text += line;
            text += '\n';
        }
        if (inside && line == "}")
            inside = false;
    }
    if (!text.empty() && !ptx.ends_with('\n'))
        text.pop_back();
    if (ptx.ends_with('\n'))
        text.pop_back(); // split gives an empty part after the last line break
    return text;
}

} // namespace kiln::compile
