// SPDX-License-Identifier: Apache-2.0
#include "compile/macros.h"

#include <kiln/error.h>

#include <doctest/doctest.h>

using namespace kiln::compile;

namespace {

SplitOptions split(std::vector<std::string> options) {
    return split_macros(options);
}

} // namespace

TEST_CASE("macros are taken out of the options in every spelling") {
    const auto result =
        split({"-DA", "--use_fast_math", "-D", "B=2", "--define-macro=C=x y", "--define-macro",
               "D(a, b)=a + b", "-UE", "--undefine-macro=F", "-DG="});
    CHECK(result.others == std::vector<std::string>{"--use_fast_math"});
    REQUIRE(result.macros.size() == 7);
    CHECK(result.macros[0].value == "1");
    CHECK(result.macros[1].value == "2");
    CHECK(result.macros[2].value == "x y");
    CHECK(result.macros[3].parameters == "(a, b)");
    CHECK(result.macros[3].value == "a + b");
    CHECK_FALSE(result.macros[4].defined);
    CHECK(result.macros[5].name == "F");
    CHECK(result.macros[6].value.empty());
}

TEST_CASE("the last option of a name wins") {
    const auto result = split({"-DV=1", "-UV", "-DV=2", "-DW=1", "-UW"});
    REQUIRE(result.macros.size() == 2);
    CHECK(result.macros[0].value == "2");
    CHECK(result.macros[0].defined);
    CHECK_FALSE(result.macros[1].defined);
}

TEST_CASE("only a plain word is simple") {
    const auto simple = [](const std::string& option) {
        return split_macros(std::vector{option}).macros.at(0).simple();
    };
    for (const char* option : {"-DX", "-DX=", "-DX=4", "-DX=__half", "-DX=-1.5e+3f"})
        CHECK_MESSAGE(simple(option), option);
    for (const char* option : {"-DX=a b", "-DX=$(id)", "-DX=`id`", "-DX=\"q\"", "-DX=a\\b",
                               "-DX(a)=a", "-DX=a,b", "-DX=a;b", "-DX='a'", "-DX=#"})
        CHECK_MESSAGE(!simple(option), option);
}

TEST_CASE("directives stand on a line of their own, whatever the value") {
    const auto text = [](const std::string& option) {
        return split_macros(std::vector{option}).macros.at(0).directives();
    };
    CHECK(text("-DX=a b") == "#undef X\n#define X a b\n");
    CHECK(text("-DF(x)=x x") == "#undef F\n#define F(x) x x\n");
    CHECK(text("-DX=a\\") == "#undef X\n#define X a\\ /**/\n");
    CHECK(text("-UX") == "#undef X\n");
}

TEST_CASE("what cannot be a directive is refused by name") {
    for (const char* option : {"-D", "-D=1", "-D1X=2", "-DX Y=1", "-DX-Y=1", "-DX=a\nb", "-DF(x=1",
                               "-UX=1", "-DX=a\rb"}) {
        CAPTURE(option);
        try {
            split_macros(std::vector<std::string>{option});
            FAIL_CHECK("accepted");
        } catch (const kiln::Error& error) {
            CHECK(error.code() == kiln::ErrorCode::usage);
            CHECK(error.message().find(option) != std::string::npos);
        }
    }
}
