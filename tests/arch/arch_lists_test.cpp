// SPDX-License-Identifier: Apache-2.0
#include "arch/arch_lists.h"
#include "arch/arch_names.h"
#include "arch/refusal.h"

#include <string>
#include <string_view>

using namespace kiln::arch;
using kiln::Error;
using Kind = ListEntry::Kind;

namespace {

/// The entries as Kiln writes them, with a blank between them; words in brackets.
std::string read(ListSyntax syntax, std::string_view text) {
    std::string result;
    for (const auto& entry : read_list(syntax, text, "LIST")) {
        result += result.empty() ? "" : " ";
        result += entry.kind == Kind::arch        ? entry.arch.str()
                  : entry.kind == Kind::all       ? "[all]"
                  : entry.kind == Kind::all_major ? "[all-major]"
                                                  : "[native]";
    }
    return result;
}

Error refusal(ListSyntax syntax, std::string_view text) {
    const auto error = refusal_of([&] { read_list(syntax, text, "LIST"); });
    CHECK(error.code() == kiln::ErrorCode::unknown_arch);
    return error;
}

} // namespace

TEST_CASE("PyTorch's list: blanks or semicolons, suffix, +PTX and names") {
    constexpr auto torch = ListSyntax::torch;
    CHECK(read(torch, "8.0 8.6+PTX 9.0a") == "8.0 8.6+PTX sm_90a");
    CHECK(read(torch, "8.0;8.6+PTX;9.0a") == "8.0 8.6+PTX sm_90a");
    CHECK(read(torch, " 8.0; 8.6  12.0a+PTX ") == "8.0 8.6 sm_120a+PTX");
    CHECK(read(torch, "Hopper") == "9.0+PTX");
    CHECK(read(torch, "Ampere;Blackwell+Tegra") == "8.0 8.6+PTX 11.0");
    CHECK(read(torch, "Blackwell") == "10.0 10.3 12.0 12.1+PTX");
    CHECK(read(torch, "Auto") == "[native]");
    CHECK(read(torch, "native") == "[native]");
    CHECK(read(torch, "All 7.5") == "[all] 7.5");
    CHECK(contains(refusal(torch, "Common").message(), "each release of PyTorch's build"));
}

TEST_CASE("FlashInfer's list: blanks, suffix, no +PTX") {
    constexpr auto flashinfer = ListSyntax::flashinfer;
    CHECK(read(flashinfer, "9.0a 12.0f 8.0") == "sm_90a sm_120f 8.0");
    const auto error = refusal(flashinfer, "9.0+PTX 8.0;8.6");
    CHECK(contains(error.message(), "'9.0+PTX' at column 1: FlashInfer has no `+PTX`"));
    CHECK(contains(error.message(), "'8.0;8.6' at column 9"));
    CHECK(error.hint() == "write 9.0 for '9.0+PTX'");
}

TEST_CASE("CMake's list: real, virtual or both, all written out") {
    constexpr auto cmake = ListSyntax::cmake;
    CHECK(read(cmake, "80-real;90a-virtual;120f") == "sm_80 compute_90a sm_120f+PTX");
    CHECK(read(cmake, "90") == "sm_90+PTX");
    CHECK(read(cmake, "70-real 72-virtual") == "sm_70 compute_72");
    CHECK(read(cmake, "all") == "[all]");
    CHECK(read(cmake, "all-major") == "[all-major]");
    CHECK(read(cmake, "native") == "[native]");
    for (const auto& entry : read_list(cmake, "80-real;90", "LIST"))
        CHECK(entry.arch.written_out);
    CHECK(contains(refusal(cmake, "OFF").message(), "pass no arch"));
    CHECK(contains(refusal(cmake, "CUDA-NOTFOUND").message(), "pass no arch"));
    CHECK(contains(refusal(cmake, "all;90").message(), "'all' at column 1: CMake takes this word"));
    CHECK(contains(refusal(cmake, "90-both").message(), "'-both' is neither"));
}

TEST_CASE("another tool's spelling is answered with the list's own") {
    CHECK(refusal(ListSyntax::torch, "sm_90a").hint() == "write 9.0a for 'sm_90a'");
    CHECK(refusal(ListSyntax::torch, "90").hint() == "write 9.0 for '90'");
    CHECK(refusal(ListSyntax::torch, "hopper").hint() == "write Hopper for 'hopper'");
    CHECK(refusal(ListSyntax::cmake, "9.0").hint() == "write 90 for '9.0'");
    CHECK(refusal(ListSyntax::cmake, "compute_90a").hint() == "write 90a-virtual for "
                                                              "'compute_90a'");
    CHECK(refusal(ListSyntax::flashinfer, "sm_120f").hint() == "write 12.0f for 'sm_120f'");
}

TEST_CASE("every bad entry is named with its column, and nothing is left out") {
    const auto error = refusal(ListSyntax::torch, "8.0;9,0;8.6+PTX;banana;;12.10");
    CHECK(contains(error.message(), "LIST: 4 of 6 entries not understood"));
    CHECK(contains(error.message(), "'9,0' at column 5"));
    CHECK(contains(error.message(), "'banana' at column 17"));
    CHECK(contains(error.message(), "'' at column 24: it is empty"));
    CHECK(contains(error.message(), "'12.10' at column 25"));
    CHECK(contains(refusal(ListSyntax::torch, "9.0;").message(), "'' at column 5: it is empty"));
    for (const auto syntax : {ListSyntax::torch, ListSyntax::flashinfer, ListSyntax::cmake})
        for (const char* empty : {"", "  ", "\t\n"})
            CHECK(refusal(syntax, empty).message() == "LIST holds no arch");
}

TEST_CASE("what is not text fit for a terminal is quoted") {
    CHECK(contains(refusal(ListSyntax::cmake, "\x1b[31m").message(), "'\\x1b[31m' at column 1"));
}

TEST_CASE("each syntax has a name and a variable") {
    for (const char* name : {"torch", "flashinfer", "cmake"}) {
        const auto syntax = list_syntax(name);
        REQUIRE(syntax);
        CHECK(to_string(*syntax) == name);
        CHECK_FALSE(variables_of(*syntax).empty());
    }
    CHECK_FALSE(list_syntax("Torch"));
}

TEST_CASE("every name stands for something or says why not") {
    CHECK(arch_names().size() > 10);
    for (const auto& name : arch_names())
        CHECK_MESSAGE(name.entries.empty() != name.refused.empty(), name.name);
}
