// SPDX-License-Identifier: Apache-2.0
#include "compile/kernel_names.h"

#include <kiln/error.h>

#include <doctest/doctest.h>

using namespace kiln;
using namespace kiln::compile;

namespace {

std::vector<KernelInfo> kernels(const std::vector<std::string>& symbols) {
    std::vector<KernelInfo> list;
    for (const auto& symbol : symbols)
        list.emplace_back().symbol = symbol;
    return list;
}

Error failure(const std::vector<std::string>& wanted, std::vector<KernelInfo> present,
              const LoweredNames& lowered = {}) {
    try {
        match_kernels(wanted, lowered, present);
    } catch (const Error& error) {
        return error;
    }
    return Error(ErrorCode::internal, "nothing was thrown");
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("expressions, patterns and plain names are told apart") {
    CHECK(is_expression("rms_norm<float, 4>"));
    CHECK(is_expression("ns::k"));
    CHECK_FALSE(is_expression("vector_add"));
    CHECK(is_pattern("vector_*"));
    CHECK_FALSE(is_pattern("ns::k<float*>"));
    CHECK(is_pattern("ns::*"));
    CHECK_FALSE(is_expression("ns::*"));
}

TEST_CASE("a qualified name has no return type, parameters or anonymous namespace") {
    CHECK(qualified_name("ec") == "ec");
    CHECK(qualified_name("_Z5plainPf") == "plain");
    CHECK(qualified_name("_ZN2ns2npEPi") == "ns::np");
    CHECK(qualified_name("_ZN2ns1tIfLi4EEEvPT_") == "ns::t<float, 4>");
    CHECK(qualified_name("_ZN12_GLOBAL__N_12anEPfS0_") == "an");
    // A function pointer among the template arguments and parameters.
    CHECK(qualified_name("_Z1gIPFvPfEEvT_") == "g<void (*)(float*)>");
}

TEST_CASE("kernels are found as symbol, plain name, pattern or expression") {
    auto present = kernels({"ec", "_Z5plainPf", "_ZN2ns1tIfLi4EEEvPT_"});
    match_kernels(std::vector<std::string>{"ec", "plain", "_Z5*", "ns::*", "ns::t<float,4>"},
                  {{"ns::t<float,4>", "_ZN2ns1tIfLi4EEEvPT_"}}, present);
    CHECK(present[0].expressions.empty());
    CHECK(present[1].expressions == std::vector<std::string>{"plain"});
    CHECK(present[2].expressions == std::vector<std::string>{"ns::t<float,4>"});
}

TEST_CASE("a missing kernel is named together with those that are there") {
    const auto error = failure({"ec2"}, kernels({"ec", "_ZN2ns1tIfLi4EEEvPT_"}));
    CHECK(error.code() == ErrorCode::kernel_missing);
    CHECK(holds(error.message(), "`ec2`"));
    CHECK(holds(error.hint(), "`ec`"));
    CHECK(holds(error.hint(), "ns::t<float, 4>"));
    CHECK(failure({"ns::t<int>"}, kernels({"ec"})).code() == ErrorCode::kernel_missing);
    CHECK(failure({"ns::t<int>"}, kernels({"ec"}), {{"ns::t<int>", "_Zgone"}}).code() ==
          ErrorCode::kernel_missing);
    CHECK(failure({"pre*"}, kernels({"ec"})).code() == ErrorCode::kernel_missing);
}

TEST_CASE("a cubin without kernels is none") {
    const auto error = failure({}, {});
    CHECK(error.code() == ErrorCode::kernel_missing);
    CHECK(holds(error.hint(), "template"));
}

TEST_CASE("an overloaded plain name asks for the symbol") {
    const auto error = failure({"over"}, kernels({"_Z4overPf", "_Z4overPi"}));
    CHECK(error.code() == ErrorCode::kernel_missing);
    CHECK(holds(error.message(), "overloaded"));
    CHECK(holds(error.hint(), "_Z4overPf"));
}

TEST_CASE("the kernels that a text declares are read past their attributes") {
    const auto names = declared_kernels(R"(
        extern "C" __global__ void a(int*);
        __global__ void __launch_bounds__(256, 2) b(float* p) {}
        template <typename T> __global__ void __cluster_dims__(2, 1, 1)
            c(T* p);
        #define KERNEL __global__ void
        __global__ static void a(int*) {}
    )");
    CHECK(names == std::vector<std::string>{"a", "b", "c"});
}
