// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_directory.h"
#include "policy/findings.h"
#include "policy/paper.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace policy = kiln::policy;
using policy::Document;
using policy::Layer;

namespace {

kiln::catalog::Catalog catalog_of(const std::string& text) {
    const kiln::base::TemporaryDirectory directory;
    const auto path = directory.path() / "catalog.yaml";
    std::ofstream(path) << text;
    return kiln::catalog::Catalog::load({&path, 1}, {}, kiln::base::Environment());
}

/// Modules with a tag, listed, open and boolean parameters, and a need.
const kiln::catalog::Catalog& modules() {
    static const kiln::catalog::Catalog catalog =
        catalog_of("catalog: 1\nmodules:\n"
                   "  - {name: gemm, tags: [fp4], parameters: {dtype: [bf16, fp16], n: {type: "
                   "integer, values: "
                   "[64]}}}\n"
                   "  - {name: gemm_sm90, defines: {M: 1}}\n"
                   "  - {name: norm, tags: [norm], parameters: {fused: [false, true]}}\n"
                   "  - {name: copy, needs: [{capability: \">=9.0\", reason: bulk copies}]}\n");
    return catalog;
}

std::string rules(const std::string& text) {
    return "policy: 1\nrules:\n" + text;
}

/// `LINE:COLUMN message` of each finding.
std::vector<std::string> texts(const std::vector<policy::Finding>& findings) {
    std::vector<std::string> result;
    for (const auto& finding : findings) {
        result.push_back(finding.location.substr(finding.location.find(':') + 1) + " " +
                         finding.message);
    }
    return result;
}

policy::Findings check(const std::string& text, Layer layer = Layer::user) {
    const Document document{layer, "p.yaml", text};
    return policy::check({&document, 1}, &modules());
}

/// The one warning of a policy, or all of them joined where there is not one.
std::string warning(const std::string& text) {
    const auto findings = check(rules(text));
    CHECK(findings.errors.empty());
    const auto all = texts(findings.warnings);
    std::string joined;
    for (const std::string& one : all) {
        joined += one + "\n";
    }
    return all.size() == 1 ? all.front() : "not one: " + joined;
}

bool starts_with(const std::string& text, const std::string& start) {
    CAPTURE(text);
    return text.starts_with(start);
}

} // namespace

TEST_CASE("a rule that can never hold is an error at its place") {
    const auto findings = check(rules("  - set: {ptx: never}\n"
                                      "  - name: dead\n"
                                      "    match: {capability: \">=10.0\", major: 9}\n"
                                      "    deny: no\n"
                                      "  - {match: {module: gemm}, unless: {module: [gemm, norm]}, "
                                      "set: {ptx: always}}\n"));
    REQUIRE(findings.errors.size() == 2);
    CHECK(findings.errors[0].location == "p.yaml:4:5");
    CHECK(findings.errors[0].rule == "dead");
    CHECK(findings.errors[0].message.find("can never hold") != std::string::npos);
    CHECK(findings.errors[1].location == "p.yaml:7:5");
    CHECK(findings.rules == 6); // the built-in three too
}

TEST_CASE("names that no module has are warnings, with the nearest one") {
    CHECK(starts_with(warning("  - {match: {module: [gemm, nrom]}, set: {ptx: never}}\n"),
                      "3:29 no module of the loaded catalogs is called `nrom`"));
    CHECK(starts_with(warning("  - {match: {module: \"fmha*\"}, set: {ptx: never}}\n"),
                      "3:22 no module of the loaded catalogs fits `fmha*`"));
    CHECK(starts_with(warning("  - {match: {tag: fp8}, set: {ptx: never}}\n"),
                      "3:19 no module of the loaded catalogs has the tag `fp8`"));
    CHECK(starts_with(warning("  - {match: {module: norm, tag: fp4}, set: {ptx: never}}\n"),
                      "3:13 no module of the loaded catalogs fits both"));
    CHECK(starts_with(warning("  - {match: {module: norm, parameters: {dtype: bf16}}, set: {ptx: "
                              "never}}\n"),
                      "3:41 no module that this matches has the parameter `dtype`"));
    CHECK(
        starts_with(warning("  - {match: {parameters: {dtype: [bf16, fp8]}}, set: {ptx: never}}\n"),
                    "3:41 `dtype` is never `fp8`"));
    CHECK(starts_with(warning("  - {match: {module: norm}, unless: {module: nrom}, set: {ptx: "
                              "never}}\n"),
                      "3:46 no module"));
    const auto near = check(rules("  - {match: {module: nrom}, set: {ptx: never}}\n"));
    REQUIRE(near.warnings.size() == 1);
    CHECK(near.warnings[0].hint == "did you mean `norm`?");
}

TEST_CASE("what a module can have is no finding") {
    const auto clean = [](const std::string& text) {
        const auto findings = check(rules(text));
        CHECK(texts(findings.errors).empty());
        CHECK(texts(findings.warnings) == std::vector<std::string>{});
    };
    clean("  - {match: {module: [gemm, \"*_sm90\"], parameters: {n: \">=4096\"}}, set: {ptx: "
          "never}}\n");
    clean("  - {match: {parameters: {fused: True, \"n*n\": 3}}, set: {ptx: never}}\n");
    clean("  - {match: {capability: 9.0}, unless: {any_arch: {major: 12}}, set: {ptx: never}}\n");
    // The general one first, then an exception: how a cascade is written.
    clean("  - {set: {ptx: never}}\n  - {match: {major: 9}, set: {ptx: always}}\n");
}

TEST_CASE("without a catalog no name is a stranger") {
    const Document document{Layer::user, "p.yaml",
                            rules("  - {match: {module: x, tag: y}, set: {ptx: never}}\n"
                                  "  - {allow: {rule: \"needs:x\", reason: r}}\n"
                                  "  - {set: {remove: [-DX]}}\n")};
    CHECK(texts(policy::check({&document, 1}, nullptr).warnings).empty());
}

TEST_CASE("a rule whose values are all set again wherever it holds never wins") {
    CHECK(starts_with(warning("  - {name: early, match: {capability: 9.0}, set: {ptx: always, "
                              "language: c++20}}\n"
                              "  - {match: {major: 9}, set: {ptx: never}}\n"
                              "  - {set: {language: c++17}}\n"),
                      "3:5 this rule never wins"));
    for (const char* text : {
             // One value is its own.
             "  - {match: {major: 9}, set: {ptx: always, time_limit: 5s}}\n  - {set: {ptx: "
             "never}}\n",
             // It adds something.
             "  - {match: {major: 9}, set: {ptx: always, defines: {N: 1}}}\n"
             "  - {set: {ptx: never}}\n",
             // The later one does not hold everywhere.
             "  - {match: {major: 9}, set: {ptx: always}}\n"
             "  - {match: {major: 9}, unless: {tag: norm}, set: {ptx: never}}\n",
             // What stands over it may be removed.
             "  - {set: {language: c++20}}\n  - {set: {language: c++17}}\n"
             "  - {match: {module: norm}, set: {remove: [-std=c++17]}}\n",
         }) {
        CAPTURE(text);
        CHECK(texts(check(rules(text)).warnings) == std::vector<std::string>{});
    }
}

TEST_CASE("where two rules overlap in part and say different things, their order decides") {
    CHECK(starts_with(warning("  - {name: one, match: {module: gemm}, set: {ptx: never}}\n"
                              "  - {name: two, match: {capability: 9.0}, set: {ptx: always}}\n"),
                      "3:5 this rule sets `ptx` to never, and `two` (line 4) to always;"));
    const auto overlap = [](const std::string& first, const std::string& second) {
        return !check(rules("  - {" + first + "}\n  - {" + second + "}\n")).warnings.empty();
    };
    CHECK(overlap("match: {major: [8, 9]}, set: {language: c++20}",
                  "match: {major: [9, 10]}, set: {language: c++14}"));
    CHECK(overlap("match: {environment: {E: 1}}, set: {targets: [a]}",
                  "match: {parameters: {n: \">64\"}}, set: {fixed: [sm_90a]}"));
    CHECK(overlap("match: {toolkit: \">=12.8\"}, set: {time_limit: 5s}",
                  "match: {toolkit: \"<13.0\"}, set: {time_limit: 6s}"));
    CHECK(overlap("match: {any_arch: {major: 9}}, set: {remap: {sm_90a: sm_90}}",
                  "match: {any_arch: {major: 12}}, set: {remap: {sm_90a: sm_90a}}"));
    CHECK(overlap("match: {header: {name: h, contains: x}}, set: {options: [--maxrregcount=64]}",
                  "match: {tag: fp4}, set: {register_limit: 32}"));
    // The same value, never both, one within the other, another thing.
    CHECK_FALSE(overlap("match: {module: gemm}, set: {ptx: never}",
                        "match: {major: 9}, set: {ptx: never}"));
    CHECK_FALSE(overlap("match: {parameters: {dtype: bf16}}, set: {ptx: never}",
                        "match: {parameters: {dtype: fp16}}, set: {ptx: always}"));
    CHECK_FALSE(overlap("match: {tag: norm}, set: {ptx: never}",
                        "match: {tag: fp4}, set: {ptx: always}")); // no module has both
    CHECK_FALSE(overlap("match: {capability: \">=12.0\"}, set: {ptx: never}",
                        "match: {capability: \">=12.2\"}, set: {ptx: always}"));
    CHECK_FALSE(overlap("match: {module: gemm}, set: {ptx: never}",
                        "match: {major: 9}, set: {time_limit: 5s}"));
    // A third rule decides wherever both hold.
    CHECK(texts(check(rules("  - {match: {module: gemm}, set: {ptx: never}}\n"
                            "  - {match: {major: 9}, set: {ptx: always}}\n"
                            "  - {match: {module: gemm, major: 9}, set: {ptx: fallback}}\n"))
                    .warnings) == std::vector<std::string>{});
}

TEST_CASE("layers do not shadow one another") {
    const std::vector<Document> documents{
        {Layer::system, "s.yaml", rules("  - {set: {ptx: always}}\n")},
        {Layer::user, "u.yaml", rules("  - {set: {ptx: never}}\n")}};
    CHECK(policy::check(documents, &modules()).warnings.empty());
}

TEST_CASE("a deny behind a wider one is said") {
    CHECK(starts_with(warning("  - {name: wide, match: {major: [9, 10]}, deny: a}\n"
                              "  - {name: narrow, match: {capability: 9.0}, deny: b}\n"),
                      "4:5 `wide` (line 3) denies all that this denies"));
    CHECK(check(rules("  - {name: narrow, match: {capability: 9.0}, deny: b}\n"
                      "  - {name: wide, match: {major: [9, 10]}, deny: a}\n"))
              .warnings.empty());
}

TEST_CASE("an allow names a deny of a weaker layer that it can meet") {
    const auto allow = [](const std::string& rest) {
        return warning("  - {name: own, match: {major: 8}, deny: x}\n"
                       "  - {name: harmless, match: {major: 8}, set: {time_limit: 5s}}\n  - {" +
                       rest + "}\n");
    };
    CHECK(starts_with(allow("allow: {rule: nothing, reason: r}"), "5:20 no deny of the loaded"));
    CHECK(starts_with(allow("allow: {rule: harmless, reason: r}"), "5:20 the rule `harmless`"));
    CHECK(starts_with(allow("allow: {rule: own, reason: r}"),
                      "5:20 `own` (p.yaml:3) is not of a weaker layer"));
    CHECK(starts_with(allow("allow: {rule: \"needs:norm\", reason: r}"), "5:20 no deny"));
    const std::vector<Document> documents{
        {Layer::library, "l.yaml",
         rules("  - {name: gate, match: {module: gemm}, unless: {major: "
               "[10, 11]}, deny: x}\n")},
        {Layer::user, "u.yaml",
         rules("  - {match: {capability: 12.0}, allow: {rule: gate, reason: r}}\n"
               "  - {match: {capability: 10.0}, allow: {rule: gate, reason: r}}\n"
               "  - {allow: {rule: \"needs:copy\", reason: r}}\n"
               "  - {allow: {rule: \"ga*\", reason: r}}\n")}};
    const auto found = texts(policy::check(documents, &modules()).warnings);
    REQUIRE(found.size() == 1);
    CHECK(starts_with(found.front(), "4:47 `gate` (l.yaml:3) never denies where this rule holds"));
}

TEST_CASE("a remove names an option that stands before it") {
    CHECK(starts_with(warning("  - {set: {remove: [-O3]}}\n"), "3:21 no weaker rule"));
    CHECK(starts_with(warning("  - {set: {remove: [-DN], defines: {N: 1}}}\n"), "3:21 no weaker"));
    CHECK(check(rules("  - {set: {remove: [-DM, -std]}}\n")).warnings.empty()); // of a module
    CHECK(
        check(rules("  - {set: {options: [-O3]}}\n  - {set: {remove: [-O3]}}\n")).warnings.empty());
}

TEST_CASE("opt-ins, sets and variables that nothing uses") {
    const Document document{
        Layer::user, "p.yaml",
        std::string("policy: 1\nvariables: {used: 1, idle: 2, inner: 3}\n"
                    "sets:\n  base: {defines: {B: 1}}\n"
                    "  top: {use: [base]}\n  spare: {defines: {S: 1}}\n"
                    "rules:\n  - name: try\n    match: {module: gemm}\n"
                    "    experimental: slow\n"
                    "    set: {use: [top], defines: {N: \"${used:-${inner}}\"}}\n")};
    const std::vector<std::string> experiments{"try", "tyr"};
    const auto found = texts(policy::check({&document, 1}, &modules(), experiments).warnings);
    REQUIRE(found.size() == 3);
    CHECK(starts_with(found[0], "2:22 no rule uses the variable `idle`"));
    CHECK(starts_with(found[1], "6:3 no rule uses the set `spare`"));
    CHECK(found[2].find("`tyr`") != std::string::npos);
}

TEST_CASE("the first error of each document is told, and what the others say") {
    const std::vector<Document> documents{
        {Layer::system, "a.yaml", rules("  - {mtach: {}, set: {ptx: never}}\n")},
        {Layer::user, "b.yaml", rules("  - {set: {ptx: sometimes}}\n")},
        {Layer::project, "c.yaml",
         rules("  - {match: {major: 9, family: 12.0}, set: {ptx: never}}\n"
               "  - {match: {module: gemm}, allow: {rule: of_a, reason: r}}\n")}};
    const auto findings = policy::check(documents, &modules());
    REQUIRE(findings.errors.size() == 3);
    CHECK(findings.errors[0].location == "a.yaml:3:6");
    CHECK(findings.errors[0].message.find("a.yaml") == std::string::npos);
    CHECK(findings.errors[1].location == "b.yaml:3:17");
    CHECK(findings.errors[2].location == "c.yaml:3:5");
    // `of_a` may well stand in the file that could not be read.
    CHECK(findings.warnings.empty());
}
