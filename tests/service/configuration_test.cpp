// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_directory.h"
#include "service/settings.h"

#include <doctest/doctest.h>

#include <fstream>

using kiln::Error;
using kiln::ErrorCode;
using kiln::service::apply_configuration;
using kiln::service::Settings;

namespace {

struct Fixture {
    kiln::base::TemporaryDirectory directory;

    std::filesystem::path write(const std::string& text) const {
        auto path = directory.path() / "kiln.yaml";
        std::ofstream(path) << text;
        return path;
    }
    Error refused(const std::string& text, bool trusted = true) const {
        Settings settings;
        try {
            apply_configuration(settings, write(text), trusted);
        } catch (const Error& error) {
            return error;
        }
        FAIL("nothing was refused in: " << text);
        return Error(ErrorCode::internal, "");
    }
};

} // namespace

TEST_CASE("a configuration's paths are relative to its file") {
    const Fixture f;
    Settings settings;
    apply_configuration(settings,
                        f.write("configuration: 1\n"
                                "policies: [p.yaml]\n"
                                "catalogs: [sub/c.yaml, /abs/c.yaml]\n"
                                "include_path:\n"
                                "  - inc\n"
                                "  - {name: flash, path: ../flash, system: true}\n"
                                "toolkit: ./cuda\n"
                                "cache: {directory: c, memory: 64MiB}\n"
                                "mode: sealed\njobs: 3\nstrict: true\narch: [\"9.0\", sm_120f]\n"),
                        true);
    const auto base = f.directory.path();
    REQUIRE(settings.policies.size() == 1);
    CHECK(settings.policies[0].layer == kiln::policy::Layer::library);
    CHECK(settings.policies[0].path == base / "p.yaml");
    CHECK(settings.catalogs[0] == base / "sub/c.yaml");
    CHECK(settings.catalogs[1] == "/abs/c.yaml");
    REQUIRE(settings.include_path.size() == 2);
    CHECK(settings.include_path[0].path == base / "inc");
    CHECK(settings.include_path[1].name == "flash");
    CHECK(settings.include_path[1].path == base.parent_path() / "flash");
    CHECK(settings.include_path[1].system);
    CHECK(settings.toolkit.value == (base / "cuda").string());
    CHECK(settings.cache_directory.value == (base / "c").string());
    CHECK(settings.memory_bytes == 64u << 20);
    CHECK(settings.mode == kiln::Mode::sealed);
    CHECK(settings.jobs == 3);
    CHECK(settings.strict);
    CHECK(settings.arch.value == "9.0,sm_120f");
}

TEST_CASE("a toolkit may be a version, read as text") {
    const Fixture f;
    Settings settings;
    apply_configuration(settings, f.write("configuration: 1\ntoolkit: 12.10\n"), true);
    CHECK(settings.toolkit.value == "12.10");
}

TEST_CASE("every arch of a list that names none is said with its place") {
    const Fixture f;
    const auto error = f.refused("configuration: 1\narch: [\"8.0\", 9.0a, native,\n"
                                 "  \"9,0\", banana]\n");
    CHECK(error.message().find("kiln.yaml:3:3: '9,0'") != std::string::npos);
    CHECK(error.message().find("kiln.yaml:3:10: 'banana'") != std::string::npos);
    CHECK(error.message().find("9.0a") == std::string::npos);
    Settings settings;
    apply_configuration(settings, f.write("configuration: 1\narch: 9.0,12.0f\n"), true);
    CHECK(settings.arch.value == "9.0,12.0f");
}

TEST_CASE("variables: the caller's are stronger than the file's, unknown ones are errors") {
    const Fixture f;
    Settings settings;
    settings.variables["where"] = "/given";
    apply_configuration(settings,
                        f.write("configuration: 1\nvariables: {where: /file, more: /m}\n"
                                "catalogs: [\"${where}/c.yaml\", \"${more}/c.yaml\"]\n"),
                        true);
    CHECK(settings.catalogs[0] == "/given/c.yaml");
    CHECK(settings.catalogs[1] == "/m/c.yaml");
    const auto error = f.refused("configuration: 1\ncatalogs: [\"${nowhere}/c\"]\n");
    CHECK(error.message().find("nowhere") != std::string::npos);
    CHECK(std::string(error.context("location")).ends_with("kiln.yaml:2:12"));
}

TEST_CASE("what is wrong is refused at its place") {
    const Fixture f;
    const auto unknown = f.refused("configuration: 1\npolicy: [a]\n");
    CHECK(unknown.code() == ErrorCode::configuration);
    CHECK(std::string(unknown.context("location")).ends_with("kiln.yaml:2:1"));
    CHECK((unknown.message() + unknown.hint()).find("policies") != std::string::npos);
    CHECK(f.refused("catalogs: [a]\n").code() == ErrorCode::configuration);
    CHECK(f.refused("configuration: 2\n").message().find("2") != std::string::npos);
    CHECK(f.refused("configuration: 1\njobs: 0\n").code() == ErrorCode::configuration);
    CHECK(f.refused("configuration: 1\njobs: many\n").code() == ErrorCode::configuration);
    CHECK(f.refused("configuration: 1\nmode: open\n").hint().find("sealed") != std::string::npos);
    CHECK(f.refused("configuration: 1\ncache: {memory: 1.5GB}\n").code() ==
          ErrorCode::configuration);
    CHECK(f.refused("configuration: 1\ncache: {memory: 99999999999GiB}\n").code() ==
          ErrorCode::configuration);
    CHECK(f.refused("configuration: 1\nstrict: 1\n").code() == ErrorCode::configuration);
}

TEST_CASE("an untrusted project may not choose toolkit, host compiler or cache") {
    const Fixture f;
    for (const char* line :
         {"toolkit: 13.0", "host_compiler: /usr/bin/g++", "cache: {directory: x}"}) {
        const auto error = f.refused(std::string("configuration: 1\n") + line + "\n", false);
        CHECK(error.hint().find("--trust-project") != std::string::npos);
    }
    Settings settings;
    apply_configuration(settings, f.write("configuration: 1\njobs: 2\n"), false);
    CHECK(settings.jobs == 2);
}
