// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "catalog/catalog.h"
#include "catalog/catalog_files.h"

#include <doctest/doctest.h>

namespace {

constexpr const char* full = R"(catalog: 1
policies: [gates.yaml]
modules:
  - name: rms_norm
    description: root mean square normalisation
    source: src/rms_norm.cu
    kernels: ["rms_norm<${dtype}, ${vec}>", fixed]
    parameters:
      dtype: [float, __half]
      vec: [1, 2, 4]
    include: {mine: include, other: /opt/other/include}
    defines: {N: "${vec}", FLAG: , TEXT: "a $b `c`"}
    options: [-lineinfo, "-DV=${vec}"]
    backends: [nvcc, nvrtc]
    language: c++20
    tags: [norm, small]
    needs:
      - {capability: [8.9, ">=9.0 <12.0"], toolkit: ">=12.8", reason: because}
      - {when: ">=10.0", targets: [f, a], reason: suffixed}
)";

} // namespace

TEST_CASE("every key of a module arrives, with its place") {
    const CatalogFiles files;
    const auto catalog = files.load(full);
    const auto& module = catalog.find("rms_norm");
    const auto file = files.path("catalog.yaml").string();
    CHECK(module.description == "root mean square normalisation");
    CHECK(module.source == files.path("src/rms_norm.cu"));
    CHECK(module.origin.str() == file + ":4");
    REQUIRE(module.kernels.size() == 2);
    CHECK(module.kernels[1].value == "fixed");
    REQUIRE(module.parameters.size() == 2);
    CHECK(module.parameters[0].name == "dtype");
    CHECK(module.parameters[1].values == std::vector<std::string>{"1", "2", "4"});
    REQUIRE(module.include_roots.size() == 2);
    CHECK(module.include_roots[0].name == "mine");
    CHECK(module.include_roots[0].path == files.path("include"));
    CHECK(module.include_roots[1].path == "/opt/other/include");
    REQUIRE(module.defines.size() == 3);
    CHECK(module.defines[0].value == "N=${vec}");
    CHECK(module.defines[1].value == "FLAG");
    CHECK(module.defines[2].value == "TEXT=a $b `c`");
    CHECK(module.defines[0].origin.str() == file + ":12");
    REQUIRE(module.options.size() == 2);
    CHECK(module.options[1].origin.str() == file + ":13");
    CHECK(module.backends == std::vector<std::string>{"nvcc", "nvrtc"});
    CHECK(module.language == "c++20");
    CHECK(module.tags == std::vector<std::string>{"norm", "small"});
    REQUIRE(module.needs.size() == 2);
    CHECK(module.needs[0].capability == "8.9, >=9.0 <12.0");
    CHECK(module.needs[0].toolkit == ">=12.8");
    CHECK(module.needs[0].targets.empty());
    CHECK(module.needs[1].targets == "f, a");
    CHECK(module.needs[1].reason == "suffixed");
    CHECK(module.needs[1].when == ">=10.0");
    CHECK(module.needs[0].when.empty());
    CHECK(module.needs[1].origin.str() == file + ":19");
    REQUIRE(catalog.policies().size() == 1);
    CHECK(catalog.policies()[0].value == files.path("gates.yaml").string());
}

TEST_CASE("paths are relative to the catalog, wherever it is loaded from") {
    const CatalogFiles files;
    const auto file = files.write("deep/er/catalog.yaml", "catalog: 1\nmodules:\n"
                                                          "  - name: m\n    source: ../m.cu\n"
                                                          "    kernels: [k]\n");
    const auto catalog = files.load_files({files.path("deep/../deep/er/catalog.yaml")});
    CHECK(std::filesystem::weakly_canonical(catalog.find("m").source) ==
          std::filesystem::weakly_canonical(files.path("deep/m.cu")));
    CHECK(catalog.find("m").source.is_absolute());
    CHECK(file == files.path("deep/er/catalog.yaml"));
}

TEST_CASE("a directory gives its catalogs in the order of their names, each file once") {
    const CatalogFiles files;
    const std::string head = "catalog: 1\nmodules:\n  - {kernels: [k], source: x.cu, name: ";
    files.write("d/b.catalog.yaml", head + "b}\n");
    files.write("d/catalog.yaml", head + "c}\n");
    files.write("d/a.catalog.yaml", head + "a}\n");
    files.write("d/other.yaml", "not a catalog");
    const auto catalog = files.load_files({files.path("d"), files.path("d/catalog.yaml")});
    REQUIRE(catalog.modules().size() == 3);
    CHECK(catalog.modules()[0].name == "a");
    CHECK(catalog.modules()[1].name == "b");
    CHECK(catalog.modules()[2].name == "c");
}

TEST_CASE("an unknown module names the nearest") {
    const CatalogFiles files;
    const auto catalog = files.load(full);
    const auto error = refusal_of([&] { catalog.find("rms_nrm"); });
    CHECK(error.code() == kiln::ErrorCode::catalog);
    CHECK(contains(error.hint(), "rms_norm"));
    CHECK(contains(refusal_of([&] { catalog.find("zzzzzz"); }).hint(), "kiln modules"));
}
