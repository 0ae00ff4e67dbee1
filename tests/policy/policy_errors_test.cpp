// SPDX-License-Identifier: Apache-2.0
#include "arch/refusal.h"
#include "base/temporary_directory.h"
#include "policy/paper.h"

#include <doctest/doctest.h>

#include <fstream>

namespace policy = kiln::policy;

namespace {

std::string rule(const std::string& lines) {
    return "policy: 1\nrules:\n  - " + lines + "\n";
}

} // namespace

TEST_CASE("a wrong policy is refused at the place of the fault") {
    struct {
        std::string text;
        const char* place; ///< `LINE:COLUMN`
        const char* part;  ///< of message and hint
    } const table[] = {
        {"rules: []\n", "1:1", "policy"},
        {"policy: 2\n", "1:9", "policy: 1"},
        {"policy: 1\nrule: []\n", "2:1", "rules"},
        {rule("mtach: {module: x}\n    deny: no"), "3:5", "match"},
        {rule("match: {modle: x}\n    set: {ptx: never}"), "3:13", "module"},
        {rule("set: {optoins: [-G]}"), "3:11", "options"},
        {rule("name: x"), "3:5", "does nothing"},
        {rule("match: {module: x}"), "3:5", "does nothing"},
        {rule("set: {}"), "3:10", "sets nothing"},
        {rule("deny: because"), "3:11", "needs a name"},
        {rule("name: n\n    deny: \" \""), "4:11", "needs a reason"},
        {rule("name: n\n    deny: []"), "4:11", "single value"},
        {rule("name: n\n    deny: x\n    allow: {rule: y, reason: z}"), "3:5", "one of them"},
        {rule("allow: n"), "3:12", "reason"},
        {rule("allow: {rule: n}"), "3:12", "reason"},
        {rule("allow: {reason: r}"), "3:12", "rule"},
        {rule("allow: {rule: n, reason: \"\"}"), "3:12", "reason"},
        {rule("allow: {rule: n, reasn: r}"), "3:22", "reason"},
        {rule("name: \"a b\"\n    set: {ptx: never}"), "3:11", "a b"},
        {rule("name: needs:x\n    deny: x"), "3:11", "catalog"},
        {rule("{name: n, set: {ptx: never}}\n  - {name: n, set: {ptx: never}}"), "4:12", "already"},
        {rule("match: {capability: 12}\n    set: {ptx: never}"), "3:25", "capability range"},
        {rule("match: {capability: 12.10}\n    set: {ptx: never}"), "3:25", "12.10"},
        {rule("match: {capability: []}\n    set: {ptx: never}"), "3:25", "empty list"},
        {rule("match: {capability: \">=10.0, <11.0\"}\n    set: {ptx: never}"), "3:25", "overlap"},
        {rule("match: {family: 10.3}\n    set: {ptx: never}"), "3:21", "10.0"},
        {rule("match: {family: x}\n    set: {ptx: never}"), "3:21", "x"},
        {rule("match: {major: 12.0}\n    set: {ptx: never}"), "3:20", "whole number"},
        {rule("match: {toolkit: new}\n    set: {ptx: never}"), "3:22", "version range"},
        {rule("match: {backend: clang}\n    set: {ptx: never}"), "3:22", "nvrtc"},
        {rule("match: {target: sm90}\n    set: {ptx: never}"), "3:21", "names no target"},
        {rule("match: [a]\n    set: {ptx: never}"), "3:12", "map"},
        {rule("set: {targets: []}"), "3:20", "empty list"},
        {rule("set: {targets: [f, f]}"), "3:20", "twice"},
        {rule("set: {targets: [x]}"), "3:20", "names no target"},
        {rule("set: {backends: []}"), "3:21", "empty list"},
        {rule("set: {backends: [nvcc, nvcc]}"), "3:28", "twice"},
        {rule("set: {ptx: true}"), "3:16", "fallback"},
        {rule("set: {time_limit: 300}"), "3:23", "300s"},
        {rule("set: {time_limit: 0s}"), "3:23", "time limit"},
        {rule("set: {language: c++23}"), "3:21", "c++20"},
        {rule("set: {defines: {1N: 1}}"), "3:25", "1N"},
        {rule("set: {defines: [N=1]}"), "3:20", "map"},
        {rule("set: {options: [-arch=sm_90]}"), "3:21", "targets belong in"},
        {rule("set: {options: [-G, -I/usr/include]}"), "3:25", "include roots"},
        {rule("set: {options: [-lineinf]}"), "3:21", "-lineinfo"},
        {rule("match: {backend: nvcc}\n    set: {backends: [nvrtc]}"), "4:21", "decides it"},
        {rule("match: {target: f}\n    set: {targets: [a]}"), "4:20", "decides it"},
        {rule("unless: {target: f}\n    set: {ptx: always}"), "4:16", "decides it"},
        {rule("match: {backend: nvrtc}\n    set: {options: [--extended-lambda]}"), "4:10",
         "refused for nvrtc"},
        {rule("set: {ptx: never}\n    set: {ptx: always}"), "4:5", "set"},
        {rule("match: {module: }\n    set: {ptx: never}"), "3:21", "no value"},
        {rule("unless:\n    set: {ptx: never}"), "3:12", "no value"},
        {rule("unless: {}\n    set: {ptx: never}"), "3:13", "every"},
        {rule("match: {any_arch: {tag: x}}\n    set: {ptx: never}"), "3:24", "unknown key"},
        {rule("match: {written_out: 1}\n    set: {ptx: never}"), "3:26", "true"},
        {rule("match: {parameters: {n: \">x\"}}\n    set: {ptx: never}"), "3:29", "number"},
        {rule("match: {parameters: {n: \">4 <3\"}}\n    set: {ptx: never}"), "3:29", "no number"},
        {rule("match: {parameters: {n: \"3 >4\"}}\n    set: {ptx: never}"), "3:29", "mixes"},
        {rule("match: {parameters: {a*b*c: 1}}\n    set: {ptx: never}"), "3:33", "product"},
        {rule("match: {device: {}}\n    set: {ptx: never}"), "3:21", "no property"},
        {rule("match: {device: {memory: big}}\n    set: {ptx: never}"), "3:30", "size"},
        {rule("match: {driver: new}\n    set: {ptx: never}"), "3:21", "version range"},
        {rule("match: {header: {name: x}}\n    set: {ptx: never}"), "3:21", "contains"},
        {rule("set: {fixed: [a]}"), "3:18", "in full"},
        {rule("set: {fixed: [sm_90a], targets: [a]}"), "3:18", "one way"},
        {rule("set: {only: [sm_90a]}"), "3:17", "needs a name"},
        {rule("set: {missing_targets: maybe}"), "3:28", "refuse"},
        {rule("set: {remap: {sm_107a: compute_90}}"), "3:28", "no target of a cubin"},
        {rule("set: {remap: {x: sm_90}}"), "3:22", "x"},
        {rule("set: {memory_limit: 8}"), "3:25", "8GiB"},
        {rule("set: {register_limit: many}"), "3:27", "number"},
        {rule("set: {undefines: [\"A B\"]}"), "3:23", "A B"},
        {rule("set: {use: [none]}"), "3:17", "no set"},
        {rule("set: {include: [x]}"), "3:20", "names"},
        {rule("match: {target: f}\n    set: {remap: {sm_90: sm_90a}}"), "4:18", "decides it"},
        {rule("experimental: x"), "3:19", "needs a name"},
        {rule("warn: \"\""), "3:11", "needs a reason"},
        {rule("require: {}"), "3:14", "demands nothing"},
        {rule("require: {evidence: maybe}"), "3:25", "correct"},
        {rule("require: {luck: yes}"), "3:15", "unknown key"},
        {"policy: 1\nsets: {a: {}}\n", "2:11", "empty"},
        {"policy: 1\nsets:\n  a: {use: [b]}\n  b: {options: [-G]}\n", "3:13", "no set `b` above"},
        {"policy: 1\nmiscompiles:\n  - {name: n, match: {toolkit: 12.6}, symptom: s, action: warn, "
         "source: x}\n",
         "3:5", "confidence"},
        {"policy: 1\nmiscompiles:\n  - {name: n, match: {toolkit: 12.6}, symptom: s, action: "
         "options, "
         "confidence: reported, source: x}\n",
         "3:5", "options"},
    };
    for (const auto& row : table) {
        CAPTURE(row.text);
        const auto error = refusal_of([&] { paper::policy(row.text); });
        CHECK(error.code() == kiln::ErrorCode::policy);
        CHECK(std::string(error.context("location")) == std::string("p.yaml:") + row.place);
        CAPTURE(error.what());
        CHECK(contains(std::string(error.what()), row.part));
    }
}

TEST_CASE("a file is read as given, and one that is not there is an error") {
    const kiln::base::TemporaryDirectory directory;
    const auto path = directory.path() / "policy.yaml";
    std::ofstream(path) << "policy: 1\nrules:\n  - set: {language: c++20}\n";
    const policy::Document document{policy::Layer::user, path, {}};
    const auto plan = paper::plan(policy::Policy::load({&document, 1}), "9.0");
    CHECK(plan.flags[0].origin == path.string() + ":3");
    const policy::Document absent{policy::Layer::user, directory.path() / "none.yaml", {}};
    CHECK(refusal_of([&] {
              policy::Policy::load({&absent, 1});
          }).code() == kiln::ErrorCode::policy);
}

TEST_CASE("the same name in two files is no error: an allow opens both") {
    const std::vector<policy::Document> documents{
        {policy::Layer::library, "a.yaml",
         std::string("policy: 1\nrules:\n  - {name: n, deny: a}\n")},
        {policy::Layer::system, "b.yaml",
         std::string("policy: 1\nrules:\n  - {name: n, deny: b}\n")},
        {policy::Layer::user, "c.yaml",
         std::string("policy: 1\nrules:\n  - allow: {rule: n, reason: r}\n")}};
    CHECK(paper::plan(policy::Policy::load(documents), "9.0").verdict == kiln::Verdict::allow);
}

TEST_CASE("times have a unit") {
    const auto limit = [](const std::string& text) {
        return paper::resolve(
                   paper::policy("policy: 1\nrules:\n  - set: {time_limit: " + text + "}\n"),
                   paper::module("m"), "9.0", paper::cuda_13_0())
            .time_limit.count();
    };
    CHECK(limit("500ms") == 500);
    CHECK(limit("300s") == 300'000);
    CHECK(limit("10min") == 600'000);
    CHECK(limit("2h") == 7'200'000);
}
