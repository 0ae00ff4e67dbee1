// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "catalog/catalog_files.h"

#include <doctest/doctest.h>

namespace {

/// A catalog whose one module has `lines` after the keys that it must have (line 6 on).
std::string with(const std::string& lines) {
    return "catalog: 1\nmodules:\n  - name: m\n    source: m.cu\n    kernels: [k]\n" + lines;
}

} // namespace

TEST_CASE("a wrong catalog is refused at the place of the fault") {
    struct {
        std::string text;
        const char* place; ///< after the file's name
        const char* part;  ///< of message and hint
    } const table[] = {
        {"modules: []\n", ":1", "catalog"},
        {"catalog: 2\n", ":1:10", "catalog: 1"},
        {"catalog: 1\nmodule: []\n", ":2:1", "modules"},
        {with("    optoins: []\n"), ":6:5", "options"},
        {with("    kernels: [j]\n"), ":6", "kernels"},
        {with("    backends: [clang]\n"), ":6:16", "nvrtc"},
        {with("    language: c++98\n"), ":6:15", "c++17"},
        {with("    include: {cuda: x}\n"), ":6:21", "already"},
        {with("    include: {\"a b\": x}\n"), ":6", "a b"},
        {with("    include: [x]\n"), ":6", "map"},
        {with("    defines: [N=1]\n"), ":6", "map"},
        {with("    parameters: {p: []}\n"), ":6:21", "no values"},
        {with("    parameters: {p: [a, a]}\n"), ":6:21", "twice"},
        {with("    parameters: {1p: [a]}\n"), ":6", "1p"},
        {with("    parameters: {p: [a]}\n    exclude: [{q: a}]\n"), ":7", "`q`"},
        {with("    parameters: {p: [a]}\n    exclude: [{p: b}]\n"), ":7", "`b`"},
        {with("    parameters: {p: [a]}\n    exclude: [{}]\n"), ":7", "names no parameter"},
        {with("    parameters: {p: [a]}\n    exclude: [{p: a}]\n"), ":7", "every combination"},
        {with("    needs: [{reason: r}]\n"), ":6:13", "asks for nothing"},
        {with("    needs: [{capability: \">=9.0\"}]\n"), ":6:13", "reason"},
        {with("    needs: [{capability: \"12\", reason: r}]\n"), ":6:26", "capability range"},
        {with("    needs: [{targets: [x], reason: r}]\n"), ":6:23", "names no target"},
        {with("    needs: [{toolkit: new, reason: r}]\n"), ":6:23", "version range"},
        {with("    needs: [{when: x, targets: f, reason: r}]\n"), ":6:20", "capability range"},
        {with("    needs: [{when: \">=9.0\", reason: r}]\n"), ":6:13", "asks for nothing"},
        {with("    options: [\"${x\"]\n"), ":6:15", "without its"},
        {with("    options: [\"\"]\n"), ":6:15", "empty"},
        {with("  - name: m\n    source: n.cu\n    kernels: [k]\n"), ":6:5", "already"},
        {"catalog: 1\nmodules:\n  - name: m\n    source: m.cu\n", ":3:5", "kernels"},
        {"catalog: 1\nmodules:\n  - name: m\n    kernels: [k]\n", ":4:14", "source"},
        {"catalog: 1\nmodules:\n  - source: m.cu\n    kernels: [k]\n", ":3:5", "name"},
        {"catalog: 1\nmodules:\n  - {name: \"a b\", source: x, kernels: [k]}\n", ":3:12", "a b"},
        {"catalog: 1\npolicies: [\"${where}/p.yaml\"]\n", ":2:12", "where"},
        {"catalog: [\n", ":", ""},
    };
    for (const auto& row : table) {
        CAPTURE(row.text);
        const CatalogFiles files;
        const auto error = refusal_of([&] { files.load(row.text); });
        CHECK(error.code() == kiln::ErrorCode::catalog);
        const std::string location(error.context("location"));
        CAPTURE(location);
        CHECK(contains(location, files.path("catalog.yaml").string() + row.place));
        CAPTURE(error.what());
        CHECK(contains(std::string(error.what()), row.part));
    }
}

TEST_CASE("the same module in two files names both places") {
    const CatalogFiles files;
    const auto first = files.write("a.yaml", with(""));
    const auto second = files.write("b.yaml", with(""));
    const auto error = refusal_of([&] { files.load_files({first, second}); });
    CHECK(contains(std::string(error.context("location")), second.string() + ":3"));
    CHECK(contains(error.hint(), first.string() + ":3"));
}

TEST_CASE("a catalog that is not there, and a directory without one") {
    const CatalogFiles files;
    CHECK(refusal_of([&] { files.load_files({files.path("none.yaml")}); }).code() ==
          kiln::ErrorCode::catalog);
    std::filesystem::create_directory(files.path("empty"));
    const auto error = refusal_of([&] { files.load_files({files.path("empty")}); });
    CHECK(error.code() == kiln::ErrorCode::catalog);
    CHECK(contains(error.hint(), "*.catalog.yaml"));
}

TEST_CASE("a matrix that no one can want is refused") {
    std::string values = "[0";
    for (int i = 1; i < 100; ++i) {
        values += ", " + std::to_string(i);
    }
    values += "]";
    const CatalogFiles files;
    const auto error = refusal_of([&] {
        files.load(
            with("    parameters: {a: " + values + ", b: " + values + ", c: " + values + "}\n"));
    });
    CHECK(contains(error.message(), "100000 combinations"));
}
