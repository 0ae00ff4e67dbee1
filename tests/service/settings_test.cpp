// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_directory.h"
#include "service/settings.h"
#include "service/toolchain.h"

#include <doctest/doctest.h>

#include <fstream>

using kiln::ServiceOptions;
using kiln::base::Environment;
using kiln::policy::Layer;
using kiln::service::resolve_settings;

namespace {

Environment with_home(const std::filesystem::path& home) {
    Environment environment;
    environment.set("HOME", home.string());
    return environment;
}

} // namespace

TEST_CASE("policies are ordered by layer, whatever the order of discovery") {
    const kiln::base::TemporaryDirectory home;
    const auto config = home.path() / ".config/kiln";
    std::filesystem::create_directories(config);
    std::ofstream(config / "policy.yaml") << "policy: 1\n";
    std::ofstream(home.path() / "c.yaml") << "configuration: 1\npolicies: [library.yaml]\n";
    auto environment = with_home(home.path());
    environment.set("KILN_POLICY", "/one.yaml:/two.yaml");
    ServiceOptions options;
    options.configurations = {(home.path() / "c.yaml").string()};
    options.policies = {"/line.yaml"};
    const auto settings = resolve_settings(options, environment);
    std::vector<Layer> layers;
    for (const auto& document : settings.policies)
        layers.push_back(document.layer);
    CHECK(layers == std::vector{Layer::built_in, Layer::library, Layer::user, Layer::environment,
                                Layer::environment, Layer::command_line});
    CHECK(settings.policies[3].path == "/one.yaml");
    CHECK(settings.policies[4].path == "/two.yaml");
}

TEST_CASE("include path: command line, then environment, then configuration") {
    const kiln::base::TemporaryDirectory home;
    std::ofstream(home.path() / "c.yaml")
        << "configuration: 1\ninclude_path: [{name: lib, path: lib}]\n";
    auto environment = with_home(home.path());
    environment.set("KILN_INCLUDE_PATH", "/e0:/e1");
    ServiceOptions options;
    options.configurations = {(home.path() / "c.yaml").string()};
    options.include_path = {"/i0", "/i1"};
    std::vector<std::string> names;
    for (const auto& root : resolve_settings(options, environment).include_path)
        names.push_back(root.name);
    CHECK(names == std::vector<std::string>{"I0", "I1", "E0", "E1", "lib"});
}

TEST_CASE("without an environment nothing of it is read") {
    ServiceOptions options;
    options.use_environment = false;
    Environment environment;
    environment.set("KILN_CACHE_DIR", "/elsewhere");
    environment.set("KILN_JOBS", "nonsense");
    const auto settings = resolve_settings(options, environment);
    CHECK(settings.cache_directory.value != "/elsewhere");
}

TEST_CASE("environment variables that make no sense are errors that name them") {
    const kiln::base::TemporaryDirectory home;
    auto environment = with_home(home.path());
    environment.set("KILN_JOBS", "-1");
    try {
        resolve_settings({}, environment);
        FAIL("KILN_JOBS=-1 was taken");
    } catch (const kiln::Error& error) {
        CHECK(error.context("location") == "KILN_JOBS");
    }
}

TEST_CASE("no HOME means no cache directory and no error") {
    const auto settings = resolve_settings({}, Environment());
    CHECK(settings.cache_directory.empty());
}

TEST_CASE("compilers get an environment that is built, and what is dropped has names") {
    Environment environment;
    environment.set("NVCC_APPEND_FLAGS", "-DX");
    environment.set("CPATH", "/x");
    environment.set("HOME", "/home/somebody");
    environment.set("TMPDIR", "/somewhere");
    const kiln::service::Toolchain chain{{}, {}, {}, "/opt/gcc/bin/g++", "", ""};
    const auto given = kiln::service::compiler_environment(chain, environment);
    CHECK_FALSE(given.get("NVCC_APPEND_FLAGS"));
    CHECK_FALSE(given.get("CPATH"));
    CHECK_FALSE(given.get("HOME"));
    CHECK(given.get("TMPDIR") == "/somewhere");
    CHECK(given.get("PATH")->starts_with("/opt/gcc/bin:"));
    CHECK(kiln::service::dropped_variables(environment) ==
          std::vector<std::string>{"NVCC_APPEND_FLAGS", "CPATH"});
}

TEST_CASE("facts on paper: for a version, or for the newest release where none is wanted") {
    const auto paper = [](const char* wanted) {
        kiln::service::Settings settings;
        settings.toolkit.value = wanted;
        return kiln::service::facts_on_paper(settings);
    };
    REQUIRE(paper("12.8"));
    CHECK(paper("12.8")->on_paper);
    CHECK(paper("12.8")->version.str() == "12.8");
    CHECK(paper("12.8")->capabilities.nvcc_has(kiln::Target::parse("sm_100a")));
    REQUIRE(paper(""));
    CHECK(paper("")->version == paper("13")->version);
    CHECK_FALSE(paper("/opt/cuda"));
    CHECK_FALSE(paper("newest"));
    CHECK_FALSE(paper("1.0"));
}
