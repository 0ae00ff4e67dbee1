// SPDX-License-Identifier: Apache-2.0
#include "policy/implication.h"
#include "policy/paper.h"

#include <doctest/doctest.h>

#include <random>

namespace policy = kiln::policy;

namespace {

policy::Rule rule_of(const std::string& conditions) {
    const auto node = kiln::base::YamlNode::parse("{" + conditions + ", warn: text}", "p.yaml",
                                                  kiln::ErrorCode::policy);
    return policy::Rule::parse(node, policy::Layer::user, {});
}

bool implied(const std::string& a, const std::string& b) {
    const policy::Rule first = rule_of(a);
    const policy::Rule second = rule_of(b);
    return policy::implies(policy::Conditions(first), policy::Conditions(second));
}

bool apart(const std::string& a, const std::string& b) {
    const policy::Rule first = rule_of(a);
    const policy::Rule second = rule_of(b);
    const policy::Conditions x(first);
    const policy::Conditions y(second);
    CHECK(policy::disjoint(x, y) == policy::disjoint(y, x));
    return policy::disjoint(x, y);
}

/// Conditions of which any may stand in a match or an unless.
const std::vector<std::string> conditions{
    "module: a",
    "module: [a, b]",
    "module: \"a*\"",
    "module: \"*\"",
    "module: \"?b\"",
    "tag: t",
    "tag: [t, u]",
    "capability: 9.0",
    "capability: \">=9.0\"",
    "capability: \"<10.0\"",
    "capability: \"9.0, >=12.0\"",
    "family: 12.0",
    "major: [9, 12]",
    "written_out: true",
    "written_out: false",
    "any_arch: {major: 12}",
    "any_arch: {capability: \">=9.0\"}",
    "any_arch: {written_out: true}",
    "parameters: {p: 1}",
    "parameters: {p: \">=1\"}",
    "parameters: {p: [x, 1..4]}",
    "parameters: {q: true}",
    "parameters: {p*q: \">2\"}",
    "toolkit: \">=12.8\"",
    "toolkit: \"12.8..12.9\"",
    "toolkit: \"<12.9\"",
    "backend: nvcc",
    "backend: [nvcc, nvrtc]",
    "target: f",
    "target: [f, sm_90a]",
    "target: sm_120f",
    "environment: {E: }",
    "environment: {E: 1}",
    "environment: {E: [1, yes]}",
    "variables: {v: \">3\"}",
    "variables: {v: }",
    "header: {name: h.h, contains: Sm}",
    "header: {name: h.h, contains: Sm107}",
    "device: {integrated: true}",
    "device: {memory: \">=8GiB\"}",
    "device: {memory: \"<40GiB\", name: \"H*\"}",
    "driver: \">=12.8\"",
};

/// A key may stand once in a map, so the two are of different kinds.
std::string join(const std::string& a, const std::string& b) {
    const auto key = [](const std::string& text) { return text.substr(0, text.find(':')); };
    return key(a) == key(b) ? a : a + ", " + b;
}

std::string random_rule(std::mt19937& random) {
    const auto one = [&random] { return conditions[random() % conditions.size()]; };
    const auto some = [&] { return random() % 2 == 0 ? one() : join(one(), one()); };
    std::string text = "match: {" + some() + "}";
    if (random() % 2 == 0) {
        text += ", unless: {" + some() + "}";
    }
    return text;
}

struct World {
    kiln::catalog::Module module;
    kiln::catalog::Instance instance;
    std::vector<kiln::ArchRequest> archs;
    kiln::toolkit::Version toolkit;
    policy::Surroundings surroundings;
    policy::Variables variables;
    std::optional<kiln::Backend> backend;
    std::optional<kiln::Target> target;

    policy::Facts facts() const {
        return {instance, archs.front(), archs, toolkit, surroundings, variables, backend, target};
    }
};

template <typename T>
T pick(std::mt19937& random, std::initializer_list<T> values) {
    return *(values.begin() + random() % values.size());
}

std::unique_ptr<World> random_world(std::mt19937& random) {
    auto world = std::make_unique<World>();
    world->module.name = pick<const char*>(random, {"a", "b", "ab", "bb", "c"});
    world->module.tags = pick<std::vector<std::string>>(random, {{}, {"t"}, {"u"}, {"t", "u"}});
    world->instance.module = &world->module;
    if (random() % 4 != 0) {
        world->instance.parameters.emplace_back(
            "p", pick<const char*>(random, {"0", "1", "2", "4", "5", "x", "True"}));
    }
    if (random() % 4 != 0) {
        world->instance.parameters.emplace_back(
            "q", pick<const char*>(random, {"true", "True", "2", "0"}));
    }
    for (std::size_t i = 0; i <= random() % 3; ++i) {
        world->archs.push_back(kiln::ArchRequest::parse(
            pick<const char*>(random, {"8.0", "9.0", "sm_90a", "10.0", "12.0", "12.1", "sm_120"})));
    }
    world->toolkit = *kiln::toolkit::Version::parse(
        pick<const char*>(random, {"12.6.85", "12.8.0", "12.8.93", "12.9", "13.0.88"}));
    const std::string e = pick<const char*>(random, {"", "1", "yes", "0"});
    const std::string v = pick<const char*>(random, {"", "3", "4", "x"});
    const std::string header = pick<const char*>(random, {"", "struct Sm107", "struct Sm90"});
    const bool device = random() % 2 == 0;
    policy::DeviceFacts present;
    present.name = pick<const char*>(random, {"H200", "B200"});
    present.memory = pick<std::uint64_t>(random, {4ULL << 30, 8ULL << 30, 80ULL << 30});
    present.integrated = random() % 2 == 0;
    present.driver =
        *kiln::toolkit::Version::parse(pick<const char*>(random, {"12.6", "12.8", "13.0"}));
    const auto given = [](const std::string& text) {
        return text.empty() ? std::nullopt : std::optional(text);
    };
    world->surroundings.environment = [=](std::string_view) { return given(e); };
    world->surroundings.variable = [=](std::string_view) { return given(v); };
    world->surroundings.header = [=](const auto&, std::string_view) { return given(header); };
    world->surroundings.device = [=](kiln::ComputeCapability) {
        return device ? std::optional(present) : std::nullopt;
    };
    if (random() % 4 != 0) {
        world->backend = pick(random, {kiln::Backend::nvrtc, kiln::Backend::nvcc});
        if (random() % 4 != 0) {
            world->target = kiln::Target::parse(
                pick<const char*>(random, {"sm_90a", "sm_90", "sm_120f", "sm_100f", "sm_120a"}));
        }
    }
    return world;
}

} // namespace

TEST_CASE("what is proved of two rules holds in every world") {
    std::mt19937 random(7);
    std::vector<std::unique_ptr<World>> worlds;
    for (int i = 0; i < 1500; ++i) {
        worlds.push_back(random_world(random));
    }
    int implications = 0;
    int exclusions = 0;
    int contradictions = 0;
    for (int i = 0; i < 4000; ++i) {
        const std::string first = random_rule(random);
        const std::string second = random_rule(random);
        const policy::Rule a = rule_of(first);
        const policy::Rule b = rule_of(second);
        const policy::Conditions x(a);
        const policy::Conditions y(b);
        const bool implied = policy::implies(x, y);
        const bool excluded = policy::disjoint(x, y);
        const bool contradicted = !policy::contradiction(x).empty();
        implications += implied;
        exclusions += excluded;
        contradictions += contradicted;
        if (!implied && !excluded && !contradicted) {
            continue;
        }
        for (const auto& world : worlds) {
            const policy::Facts facts = world->facts();
            const bool first_holds = a.holds(facts);
            const bool second_holds = b.holds(facts);
            const bool wrong = (implied && first_holds && !second_holds) ||
                               (excluded && first_holds && second_holds) ||
                               (contradicted && first_holds);
            if (wrong) {
                CAPTURE(first);
                CAPTURE(second);
                CAPTURE(implied);
                CAPTURE(excluded);
                FAIL("a proof that a world contradicts");
            }
        }
    }
    // The test says nothing where nothing is ever proved.
    CHECK(implications > 40);
    CHECK(exclusions > 100);
    CHECK(contradictions > 20);
}

TEST_CASE("implication sees through each kind of condition") {
    CHECK(implied("match: {module: a}", "match: {}"));
    CHECK(implied("match: {module: norm_rms}", "match: {module: \"norm_*\"}"));
    CHECK(implied("match: {module: \"norm_rms*\"}", "match: {module: \"norm_*\"}"));
    CHECK_FALSE(implied("match: {module: \"*_rms\"}", "match: {module: \"norm_*\"}"));
    CHECK(implied("match: {capability: 12.1}", "match: {family: 12.0}"));
    CHECK(implied("match: {family: 12.0}", "match: {major: 12, capability: \">=11.0\"}"));
    CHECK(implied("match: {capability: 9.0}", "match: {any_arch: {major: 9}}"));
    CHECK_FALSE(implied("match: {any_arch: {major: 9}}", "match: {capability: 9.0}"));
    CHECK(implied("match: {toolkit: \"12.8..12.9\"}", "match: {toolkit: \">=12.8\"}"));
    CHECK(implied("match: {toolkit: \">=12.8\"}", "match: {toolkit: \"12.8..12.9, >=13.0\"}") ==
          false);
    CHECK(implied("match: {parameters: {n: 64..128}}", "match: {parameters: {n: \">32\"}}"));
    CHECK_FALSE(implied("match: {parameters: {n: 64..128}}", "match: {parameters: {m: \">32\"}}"));
    CHECK(implied("match: {major: [9, 12]}, unless: {major: 9}", "match: {major: 12}"));
    CHECK(implied("match: {major: 12}", "match: {}, unless: {major: [9, 10]}"));
    CHECK(implied("match: {module: a}", "unless: {module: b}"));
    CHECK(implied("match: {module: a}, unless: {tag: [t, u]}",
                  "match: {module: a}, unless: {tag: t}"));
    CHECK_FALSE(implied("match: {module: a}, unless: {tag: t}",
                        "match: {module: a}, unless: {tag: [t, u]}"));
    // What a backend decides is not known where the first rule already holds.
    CHECK_FALSE(implied("match: {module: a}", "unless: {module: b, backend: nvcc}"));
}

TEST_CASE("rules that exclude each other are told apart") {
    CHECK(apart("match: {capability: 9.0}", "match: {capability: \">=10.0\"}"));
    CHECK(apart("match: {module: [a, b]}", "match: {module: [c, d]}"));
    CHECK(apart("match: {module: \"a*\"}", "match: {module: \"b*\"}"));
    CHECK(apart("match: {module: \"*_a\"}", "match: {module: \"*_b\"}"));
    CHECK_FALSE(apart("match: {module: \"a*\"}", "match: {module: \"*b\"}"));
    CHECK(apart("match: {parameters: {n: \"<=1\"}}", "match: {parameters: {n: \">1\"}}"));
    CHECK(apart("match: {environment: {E: 1}}", "match: {environment: {E: 2}}"));
    CHECK_FALSE(apart("match: {tag: t}", "match: {tag: u}"));
    CHECK_FALSE(apart("match: {any_arch: {major: 9}}", "match: {any_arch: {major: 12}}"));
    CHECK(apart("match: {any_arch: {major: 9}}", "unless: {any_arch: {major: [9, 12]}}"));
    CHECK(apart("match: {backend: nvcc}", "match: {backend: nvrtc}"));
}

TEST_CASE("a rule that can never hold says which conditions exclude one another") {
    const auto why = [](const std::string& text) {
        const policy::Rule rule = rule_of(text);
        return policy::contradiction(policy::Conditions(rule));
    };
    CHECK(why("match: {capability: \">=10.0\", major: 9}").find("on the arch") !=
          std::string::npos);
    CHECK(why("match: {family: 12.0, capability: 10.0}").find("on the arch") != std::string::npos);
    CHECK(why("match: {any_arch: {major: 9, family: 12.0}}").find("any_arch") != std::string::npos);
    CHECK(why("match: {major: 9}, unless: {capability: \">=8.0\"}").find("unless") !=
          std::string::npos);
    CHECK(why("match: {module: a_b}, unless: {module: \"a_*\"}").find("unless") !=
          std::string::npos);
    CHECK(why("match: {major: 9}, unless: {capability: 9.0}").empty());
    CHECK(why("match: {major: 12}, unless: {tag: t}").empty());
}
