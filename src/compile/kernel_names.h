// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/cubin.h>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// How a kernel that was asked for is found among the symbols of a cubin.
namespace kiln::compile {

/// A C++ expression that must be handed to the compiler: it holds `<` or `::`.
bool is_expression(std::string_view kernel) noexcept;
/// `prefix*`: any symbol, or any qualified name, with that prefix.
bool is_pattern(std::string_view kernel) noexcept;

/// `void ns::copy<float, 4>(float*)`, or the symbol itself where it is not mangled.
std::string demangled(const std::string& symbol);
/// `ns::copy<float, 4>`: without return type, parameters and anonymous namespaces.
std::string qualified_name(const std::string& symbol);

/// Symbols by the expression that names them, from the compiler.
using LoweredNames = std::map<std::string, std::string, std::less<>>;

/// Finds every kernel of `wanted` among `present` and notes in KernelInfo::expressions what each
/// was asked for as. A plain word is a symbol, or the name of one function that is not a template.
/// Throws Error(kernel_missing), naming those that are there; also where there is none at all.
void match_kernels(std::span<const std::string> wanted, const LoweredNames& lowered,
                   std::vector<KernelInfo>& present);

/// Names of the functions that a source text declares `__global__`, templates among them: what to
/// suggest when a name is wrong. A reading of the text, not of the language.
std::vector<std::string> declared_kernels(std::string_view source);

} // namespace kiln::compile
