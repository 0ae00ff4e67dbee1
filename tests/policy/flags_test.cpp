// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "policy/paper.h"

#include <doctest/doctest.h>

namespace policy = kiln::policy;
using policy::Layer;

namespace {

kiln::catalog::Module module_with(std::vector<kiln::catalog::Setting> defines,
                                  std::vector<kiln::catalog::Setting> options) {
    auto module = paper::module("m");
    module.defines = std::move(defines);
    module.options = std::move(options);
    return module;
}

kiln::catalog::Setting setting(const char* value, int line) {
    return {value, {"catalog.yaml", line, 9}};
}

kiln::Plan plan(const kiln::catalog::Module& module, const std::string& rules,
                Layer layer = Layer::user) {
    return paper::resolve(paper::policy("policy: 1\nrules:\n" + rules, layer), module, "9.0",
                          paper::cuda_13_0())
        .plan;
}

} // namespace

TEST_CASE("defines and options add, weakest layer first, each with its line") {
    const auto module = module_with({setting("MODULE=1", 7)}, {setting("-lineinfo", 8)});
    const auto mixed = plan(module, "  - set:\n"
                                    "      defines:\n"
                                    "        A: 1\n"
                                    "        B:\n"
                                    "      options:\n"
                                    "        - --use_fast_math\n"
                                    "        - -maxrregcount=64\n");
    CHECK(paper::flags(mixed) ==
          "-std=c++17 -DMODULE=1 -lineinfo -DA=1 -DB --use_fast_math -maxrregcount=64");
    CHECK(mixed.flags[1].origin == "catalog.yaml:7");
    CHECK(mixed.flags[2].origin == "catalog.yaml:8");
    CHECK(mixed.flags[3].origin == "p.yaml:5");
    CHECK(mixed.flags[4].origin == "p.yaml:6");
    CHECK(mixed.flags[5].origin == "p.yaml:8");
    CHECK(mixed.flags[6].origin == "p.yaml:9");
    const auto library = plan(module, "  - set: {defines: {A: 1}}\n", Layer::library);
    CHECK(paper::flags(library) == "-std=c++17 -DA=1 -DMODULE=1 -lineinfo");
}

TEST_CASE("of an option with one value the last counts, and the other is named") {
    const auto module = module_with({}, {setting("-fmad=false", 8), setting("--ftz=true", 9)});
    const auto overruled = plan(module, "  - set: {options: [--fmad=true, -std=c++20]}\n");
    CHECK(paper::flags(overruled) == "--ftz=true --fmad=true -std=c++20");
    const auto note = paper::note(overruled, "option -fmad=false");
    CHECK_FALSE(note.applied);
    CHECK(note.origin == "catalog.yaml:8");
    CHECK(note.reason == "`--fmad=true` at p.yaml:3 comes later and counts");
    CHECK(paper::note(overruled, "option -std=c++17").name == "defaults");
}

TEST_CASE("defines of one name stay in order, and what is undone is named") {
    const auto module = module_with({setting("N=1", 7)}, {});
    const auto twice = plan(module, "  - set: {defines: {N: 2}, options: [-UM, -DM=1]}\n");
    CHECK(paper::flags(twice) == "-std=c++17 -DN=1 -DN=2 -UM -DM=1");
    CHECK(paper::note(twice, "option -DN=1").reason ==
          "`-DN=2` at p.yaml:3 comes later and counts");
    CHECK(paper::note(twice, "option -UM").reason == "`-DM=1` at p.yaml:3 comes later and counts");
}

TEST_CASE("the same text twice is passed once, in the last place") {
    const auto module = module_with({setting("N=1", 7), setting("P", 8)}, {});
    const auto once = plan(module, "  - set: {defines: {N: 1}}\n");
    CHECK(paper::flags(once) == "-std=c++17 -DP -DN=1");
    CHECK(once.flags.back().origin == "p.yaml:3");
    CHECK(paper::note(once, "option -DN=1").reason == "said again at p.yaml:3");
}

TEST_CASE("what a backend does not need is dropped and named") {
    const auto module = module_with({}, {setting("--expt-relaxed-constexpr", 8)});
    const auto nvrtc = plan(module, "  - set: {options: [-O3]}\n");
    CHECK(paper::flags(nvrtc) == "-std=c++17");
    CHECK(contains(paper::note(nvrtc, "option --expt-relaxed-constexpr").reason,
                   "not passed to NVRTC: "));
    CHECK(contains(paper::note(nvrtc, "option -O3").reason, "host code"));
    const auto nvcc = plan(module, "  - set: {options: [-O3], backends: [nvcc]}\n");
    CHECK(paper::flags(nvcc) == "-std=c++17 --expt-relaxed-constexpr -O3");
}

TEST_CASE("values reach the plan byte for byte") {
    const auto module = module_with({setting("TEXT=\"a b\" $(x) `y` 'z' \\", 7)}, {});
    const auto passed = plan(module, "  - set: {defines: {PRICE: \"$5 `x`\"}}\n");
    CHECK(passed.flags[1].value == "-DTEXT=\"a b\" $(x) `y` 'z' \\");
    CHECK(passed.flags[2].value == "-DPRICE=$5 `x`");
}

TEST_CASE("an option of a module that no backend takes is an error with its line") {
    const auto module = module_with({}, {setting("-gencode=arch=compute_89,code=sm_89", 8)});
    const auto error = refusal_of([&] { plan(module, "  - set: {ptx: never}\n"); });
    CHECK(error.code() == kiln::ErrorCode::policy);
    CHECK(contains(error.message(), "targets belong in"));
    CHECK(error.context("location") == "catalog.yaml:8:9");
    const auto define = refusal_of(
        [&] { plan(module_with({setting("F(x)=x", 7)}, {}), "  - set: {ptx: never}\n"); });
    CHECK(contains(define.message(), "has arguments"));
    CHECK(define.context("location") == "catalog.yaml:7:9");
}
