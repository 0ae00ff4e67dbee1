// SPDX-License-Identifier: Apache-2.0
#include "compile/nvcc_names.h"

#include <doctest/doctest.h>

using namespace kiln::compile;

namespace {

// As nvcc 13.0 writes it: substitutions make the kernel's name in the marker another text than
// the kernel's own symbol.
constexpr std::string_view ptx =
    ".version 9.0\n.target sm_90\n\n"
    ".func _ZN33_INTERNAL_60be9e53_4_m_cu__Z3sibv11kiln_name_0IPFvPfS1_PKfEXadL_ZN2ns1tIfLi4EEEvPT_"
    "S9_PKS8_EEEEvv()\n{\n\tret;\n\n}\n"
    ".func _ZN33_INTERNAL_60be9e53_4_m_cu__Z3sibv11kiln_name_2IPFvPfS1_EXadL_ZN35_GLOBAL__N__"
    "60be9e53_4_m_cu__Z3sibv2anES1_S1_EEEEvv()\n{\n\tret;\n\n}\n"
    ".func  (.param .b32 func_retval0) _Z3sibv()\n{\n\tret;\n}\n"
    ".visible .entry _ZN2ns1tIfLi4EEEvPT_S2_PKS1_(\n\t.param .u64 p\n)\n{\n\tret;\n}\n"
    ".visible .entry _ZN2ns1tIfLi8EEEvPT_S2_PKS1_(\n\t.param .u64 p\n)\n{\n\tret;\n}\n"
    ".entry _ZN35_GLOBAL__N__60be9e53_4_m_cu__Z3sibv2anEPfS0_(\n)\n{\n\tret;\n}\n";

} // namespace

TEST_CASE("a marker leads from the expression to the symbol") {
    const std::vector<std::string> kernels{"ns::t<float,4>", "ec", "::an"};
    const auto names = read_name_markers(ptx, kernels);
    CHECK(names == LoweredNames{{"ns::t<float,4>", "_ZN2ns1tIfLi4EEEvPT_S2_PKS1_"},
                                {"::an", "_ZN35_GLOBAL__N__60be9e53_4_m_cu__Z3sibv2anEPfS0_"}});
}

TEST_CASE("PTX is handed out without markers") {
    const auto text = without_name_markers(ptx);
    CHECK(text.find("kiln_name_") == std::string::npos);
    CHECK(text.starts_with(".version 9.0\n.target sm_90\n"));
    CHECK(text.find("_Z3sibv()\n{\n\tret;\n}\n") != std::string::npos);
    CHECK(text.ends_with("2anEPfS0_(\n)\n{\n\tret;\n}\n"));
    CHECK(without_name_markers("a\nb") == "a\nb");
    // Debug information refers to the functions: then they stay.
    const std::string debug = std::string(ptx) + ".section .debug_info\n{\n}\n";
    CHECK(without_name_markers(debug) == debug);
}
