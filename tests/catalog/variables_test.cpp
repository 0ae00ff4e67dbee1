// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "catalog/catalog_files.h"

#include <doctest/doctest.h>

namespace {

constexpr const char* text = R"(catalog: 1
variables:
  library: ${env:LIBRARY:-library}
  include: ${library}/include
  artifact: ${missing}/artifact
modules:
  - name: a
    source: ${library}/a.cu
    kernels: [k]
    include: {library: "${include}"}
    defines: {WHERE: "${env:WHERE:-here}", VEC: "${vec}"}
    parameters: {vec: [1]}
  - name: needs_artifact
    source: a.cu
    kernels: [k]
    defines: {ARTIFACT: "${artifact}"}
  - name: needs_environment
    source: ${env:ELSEWHERE}/a.cu
    kernels: [k]
  - name: typo
    source: ${libary}/a.cu
    kernels: [k]
)";

} // namespace

TEST_CASE("variables come from the caller, the file and the environment") {
    CatalogFiles files;
    const auto plain = files.load(text);
    CHECK(plain.find("a").source == files.path("library/a.cu"));
    CHECK(plain.find("a").include_roots[0].path == files.path("library/include"));
    CHECK(plain.find("a").defines[0].value == "WHERE=here");

    files.environment.set("LIBRARY", "/from/environment");
    files.environment.set("WHERE", "there");
    const auto environment = files.load(text);
    CHECK(environment.find("a").source == "/from/environment/a.cu");
    CHECK(environment.find("a").include_roots[0].path == "/from/environment/include");
    CHECK(environment.find("a").defines[0].value == "WHERE=there");

    files.variables["library"] = "/from/caller";
    CHECK(files.load(text).find("a").source == "/from/caller/a.cu");
    CHECK(files.load(text).find("a").include_roots[0].path == "/from/caller/include");
}

TEST_CASE("a parameter is stronger than a variable of its name") {
    CatalogFiles files;
    files.variables["vec"] = "9";
    const auto catalog = files.load(text);
    CHECK(catalog.instances(catalog.find("a"))[0].defines()[1].value == "VEC=1");
}

TEST_CASE("a module that names what nothing sets fails when it is used, and no other does") {
    CatalogFiles files;
    const auto catalog = files.load(text);
    CHECK(catalog.modules().size() == 4);
    CHECK(catalog.find("a").name == "a");
    const auto artifact = refusal_of([&] { catalog.find("needs_artifact"); });
    CHECK(artifact.code() == kiln::ErrorCode::catalog);
    CHECK(contains(artifact.message(), "`artifact`"));
    CHECK(contains(std::string(artifact.context("location")), "catalog.yaml:16:"));
    const auto environment = refusal_of([&] { catalog.find("needs_environment"); });
    CHECK(contains(environment.message(), "environment variable ELSEWHERE"));
    CHECK(contains(refusal_of([&] { catalog.find("typo"); }).hint(), "library"));

    files.variables["missing"] = "/m";
    CHECK(files.load(text).find("needs_artifact").defines[0].value == "ARTIFACT=/m/artifact");
}
