// SPDX-License-Identifier: Apache-2.0
#include <kiln/cubin.h>

#include <doctest/doctest.h>

using kiln::Cubin;

namespace {

Cubin with_kernels(std::vector<std::pair<std::string, std::vector<std::string>>> kernels) {
    Cubin cubin;
    for (auto& [symbol, expressions] : kernels) {
        auto& kernel = cubin.kernels.emplace_back();
        kernel.symbol = std::move(symbol);
        kernel.expressions = std::move(expressions);
    }
    return cubin;
}

} // namespace

TEST_CASE("a kernel is found by symbol or expression") {
    const auto cubin = with_kernels({{"_Z1kIfLi4EEvv", {"k<float, 4>", "alias<4>"}},
                                     {"_Z1kIjLi4EEvv", {"k<unsigned int, 4>"}},
                                     {"plain", {}}});
    CHECK(cubin.find("plain") == &cubin.kernels[2]);
    CHECK(cubin.find("_Z1kIfLi4EEvv") == &cubin.kernels[0]);
    CHECK(cubin.find("k<float, 4>") == &cubin.kernels[0]);
    CHECK(cubin.find("alias<4>") == &cubin.kernels[0]);
    CHECK(cubin.find("absent") == nullptr);
    CHECK(cubin.find("k<float, 8>") == nullptr);
    CHECK(cubin.find("k<float") == nullptr);
}

TEST_CASE("blanks in an expression matter only between words") {
    const auto cubin = with_kernels({{"a", {"k<float, 4>"}}, {"b", {"k<unsigned int,pair<a,b>>"}}});
    for (const auto* text : {"k<float,4>", " k < float , 4 > ", "k<float,\n\t4>"})
        CHECK(cubin.find(text) == &cubin.kernels[0]);
    CHECK(cubin.find("k<unsigned  int, pair<a, b> >") == &cubin.kernels[1]);
    CHECK(cubin.find("k<unsignedint, pair<a, b>>") == nullptr);
    CHECK(cubin.find("k<flo at, 4>") == nullptr);
}

TEST_CASE("a symbol goes before an expression of the same text") {
    const auto cubin = with_kernels({{"one", {"two"}}, {"two", {"one"}}});
    CHECK(cubin.find("one") == &cubin.kernels[0]);
    CHECK(cubin.find("two") == &cubin.kernels[1]);
}

TEST_CASE("no name finds the only kernel") {
    CHECK(with_kernels({{"a", {}}}).find("")->symbol == "a");
    CHECK(with_kernels({{"a", {}}, {"b", {}}}).find("") == nullptr);
    CHECK(Cubin{}.find("") == nullptr);
}

TEST_CASE("copies share the image") {
    Cubin cubin;
    CHECK(cubin.image().empty());
    cubin.bytes = std::make_shared<const std::vector<std::byte>>(3, std::byte{7});
    const auto copy = cubin;
    CHECK(copy.image().size() == 3);
    CHECK(copy.image().data() == cubin.image().data());
}
