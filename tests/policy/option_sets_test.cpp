// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "policy/paper.h"

#include <doctest/doctest.h>

using namespace kiln;

namespace {

struct Case {
    std::string text;
    std::vector<std::pair<std::string, std::string>> parameters{};

    policy::Resolution resolve(const char* arch = "7.5") const {
        const auto module = paper::module("m");
        catalog::Instance instance{&module, parameters};
        policy::Surroundings surroundings;
        surroundings.environment = [](std::string_view name) {
            return name == "THREADS" ? std::optional<std::string>("4") : std::nullopt;
        };
        return paper::resolve(paper::policy("policy: 1\n" + text), instance, arch,
                              paper::cuda_13_0(), surroundings);
    }
    std::string flags() const {
        const auto text = paper::flags(resolve().plan);
        constexpr std::string_view language = "-std=c++17 ";
        return text.starts_with(language) ? text.substr(language.size()) : text;
    }
};

} // namespace

TEST_CASE("named sets are used in order, and may use each other") {
    const Case one{"sets:\n  a: {defines: {A: 1}}\n  b: {use: [a], undefines: [C], options: [-G]}\n"
                   "rules:\n  - set: {use: [b], defines: {D: }}\n"};
    CHECK(one.flags() == "-DA=1 -UC -G -DD");
    const auto plan = one.resolve().plan;
    CHECK(plan.flags[1].origin == "p.yaml:3"); // the line in the set
    CHECK(paper::note(plan, "set use: [b]").applied);
}

TEST_CASE("a stronger rule removes what weaker ones set") {
    const std::string weak = "rules:\n  - set: {options: [-O3, -DNDEBUG, -UX, -DX=1, "
                             "--maxrregcount=64, -lineinfo], backends: [nvcc]}\n";
    const auto with = [&](const std::string& rule) { return Case{weak + rule}.flags(); };
    CHECK(with("") == "-O3 -DNDEBUG -UX -DX=1 --maxrregcount=64 -lineinfo");
    CHECK(with("  - set: {remove: [-O3, -DNDEBUG]}\n") == "-UX -DX=1 --maxrregcount=64 -lineinfo");
    CHECK(with("  - set: {remove: [-DX, -maxrregcount]}\n") == "-O3 -DNDEBUG -lineinfo");
    CHECK(with("  - set: {remove: [-DX=1]}\n") == "-O3 -DNDEBUG -UX --maxrregcount=64 -lineinfo");
    CHECK(with("  - set: {remove: [-O3], options: [-O1]}\n") ==
          "-DNDEBUG -UX -DX=1 --maxrregcount=64 -lineinfo -O1");
    // What stands behind is not touched.
    CHECK(with("  - set: {remove: [-G]}\n  - set: {options: [-G]}\n") ==
          "-O3 -DNDEBUG -UX -DX=1 --maxrregcount=64 -lineinfo -G");
    const auto plan =
        Case{weak + "  - set: {remove: [-O3, -G]}\n  - set: {remove: [-w]}\n"}.resolve().plan;
    CHECK(paper::note(plan, "option -O3").reason == "removed at p.yaml:4");
    CHECK(paper::note(plan, "remove: [-O3, -G]").applied);
    CHECK(paper::note(plan, "remove: [-w]").reason == "no weaker rule sets it");
}

TEST_CASE("a register limit and a memory limit") {
    CHECK(Case{"rules:\n  - set: {register_limit: 128}\n"}.flags() == "--maxrregcount=128");
    CHECK(Case{"rules:\n  - set: {memory_limit: 2GiB}\n"}.resolve().memory_limit == 2ULL << 30);
    CHECK_FALSE(Case{"rules:\n  - set: {register_limit: 8}\n"}.resolve().memory_limit.has_value());
}

TEST_CASE("include directories have names, and places below other roots") {
    const Case one{"rules:\n  - set: {include: {a: /opt/a, b: \"@lib/b\", c: \"${where}/c\"}}\n",
                   {{"where", "/srv"}}};
    CHECK(one.flags() == "-I/opt/a -I@lib/b -I/srv/c");
    const auto roots = one.resolve().include_roots;
    REQUIRE(roots.size() == 3);
    CHECK(roots[1].name == "b");
    CHECK(roots[1].path == "@lib/b");
    const auto relative = Case{"rules:\n  - set: {include: {a: sub/a}}\n"}.resolve().include_roots;
    CHECK(relative.front().path == (std::filesystem::current_path() / "sub/a").string());
    CHECK(Case{"rules:\n  - set: {include: {a: /x}}\n  - set: {remove: [-Ia]}\n"}.flags() ==
          "-std=c++17");
    CHECK(Case{"rules:\n  - set: {include: {a: /x}}\n  - set: {include: {a: /y}}\n"}.flags() ==
          "-I/y");
}

TEST_CASE("templates take parameters, variables and the environment") {
    CHECK(Case{"rules:\n  - set: {defines: {N: \"${n}\"}}\n", {{"n", "8"}}}.flags() == "-DN=8");
    CHECK(Case{"variables: {n: 9}\nrules:\n  - set: {defines: {N: \"${n}\"}}\n"}.flags() ==
          "-DN=9");
    CHECK(Case{"variables: {n: 9}\nrules:\n  - set: {defines: {N: \"${n}\"}}\n", {{"n", "8"}}}
              .flags() == "-DN=8"); // a parameter is stronger
    CHECK(Case{"rules:\n  - set: {options: [\"-maxrregcount=${env:THREADS}\"]}\n"}.flags() ==
          "-maxrregcount=4");
    CHECK(Case{"rules:\n  - set: {defines: {N: \"${env:NONE:-d}\"}}\n"}.flags() == "-DN=d");
    const auto unknown =
        refusal_of([] { Case{"rules:\n  - set: {defines: {N: \"${no}\"}}\n"}.flags(); });
    CHECK(unknown.code() == ErrorCode::policy);
    CHECK(std::string(unknown.context("location")) == "p.yaml:3");
    CHECK(contains(std::string(unknown.what()), "${no}"));
    // What a value makes of an option is checked when it is known.
    const auto refused = refusal_of([] {
        Case{"rules:\n  - set: {options: [\"-maxrregcount=${n}\"]}\n", {{"n", "x"}}}.flags();
    });
    CHECK(contains(std::string(refused.what()), "its value is a number"));
}
