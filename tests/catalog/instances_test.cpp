// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "catalog/catalog_files.h"

#include <doctest/doctest.h>

namespace {

constexpr const char* text = R"(catalog: 1
modules:
  - name: plain
    source: p.cu
    kernels: [k]
  - name: norm
    source: n.cu
    kernels: ["norm<${dtype}, ${vec}>"]
    defines: {VEC: "${vec}"}
    options: ["-DPAIR=${dtype}_${vec}", "-DTYPO=${dtpye:-none}"]
    parameters:
      dtype: [float, double]
      vec: [1, 2, 4]
    exclude:
      - {dtype: double, vec: [2, 4]}
)";

std::vector<std::string> names(const std::vector<kiln::catalog::Instance>& instances) {
    std::vector<std::string> result;
    for (const auto& instance : instances) {
        result.push_back(instance.name());
    }
    return result;
}

} // namespace

TEST_CASE("every combination but the excluded, the last parameter fastest") {
    const CatalogFiles files;
    const auto catalog = files.load(text);
    CHECK(names(catalog.instances(catalog.find("norm"))) ==
          std::vector<std::string>{"norm{dtype=float,vec=1}", "norm{dtype=float,vec=2}",
                                   "norm{dtype=float,vec=4}", "norm{dtype=double,vec=1}"});
    CHECK(names(catalog.instances(catalog.find("plain"))) == std::vector<std::string>{"plain"});
}

TEST_CASE("an instance takes defaults and replaces its parameters") {
    const CatalogFiles files;
    const auto catalog = files.load(text);
    const auto instance = catalog.instance(catalog.find("norm"), {{"vec", "4"}});
    CHECK(instance.name() == "norm{dtype=float,vec=4}");
    CHECK(instance.kernels() == std::vector<std::string>{"norm<float, 4>"});
    REQUIRE(instance.defines().size() == 1);
    CHECK(instance.defines()[0].value == "VEC=4");
    CHECK(instance.options()[0].value == "-DPAIR=float_4");
    CHECK(instance.options()[1].value == "-DTYPO=none");
    CHECK(instance.options()[0].origin.line == 10);
    CHECK(instance.expand("${vec}${vec}") == "44");
    const auto error = refusal_of([&] { instance.expand("${dtpye}"); });
    CHECK(error.code() == kiln::ErrorCode::catalog);
    CHECK(contains(error.hint(), "dtype"));
}

TEST_CASE("a parameter or value that does not exist names what there is") {
    const CatalogFiles files;
    const auto catalog = files.load(text);
    const auto& norm = catalog.find("norm");
    const auto parameter = refusal_of([&] { catalog.instance(norm, {{"dtyp", "float"}}); });
    CHECK(parameter.code() == kiln::ErrorCode::catalog);
    CHECK(contains(parameter.hint(), "dtype"));
    const auto value = refusal_of([&] { catalog.instance(norm, {{"vec", "16"}}); });
    CHECK(contains(value.message(), "vec"));
    CHECK(contains(value.hint(), "1, 2, 4"));
    CHECK(contains(refusal_of([&] {
                       catalog.instance(catalog.find("plain"), {{"x", "1"}});
                   }).hint(),
                   "no parameters"));
}

TEST_CASE("an excluded combination is refused with the line that excludes it") {
    const CatalogFiles files;
    const auto catalog = files.load(text);
    const auto error = refusal_of([&] {
        catalog.instance(catalog.find("norm"), {{"dtype", "double"}, {"vec", "4"}});
    });
    CHECK(contains(error.message(), "norm{dtype=double,vec=4}"));
    CHECK(contains(std::string(error.context("location")), "catalog.yaml:15"));
}
