// SPDX-License-Identifier: Apache-2.0
#include "base/paths.h"
#include "base/temporary_directory.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>

using namespace kiln::base;
namespace fs = std::filesystem;

namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

} // namespace

TEST_CASE("the image directory is this program's, wherever the working directory is") {
    const auto expected = fs::read_symlink("/proc/self/exe").parent_path();
    CHECK(image_directory() == expected);
    const auto before = fs::current_path();
    const TemporaryDirectory elsewhere;
    fs::current_path(elsewhere.path());
    CHECK(image_directory() == expected);
    fs::current_path(before);
}

TEST_CASE("what does not ship is an empty path") {
    CHECK(shipped_file("no/such/file").empty());
    CHECK(shipped_file(".").empty());
}

TEST_CASE("the worker program can be chosen") {
    CHECK(worker_program(Environment(Variables{{"KILN_WORKER", "/opt/worker"}})) == "/opt/worker");
}

TEST_CASE("user directories follow the XDG rules") {
    const Environment both({{"XDG_CACHE_HOME", "/c"}, {"XDG_CONFIG_HOME", "/f"}, {"HOME", "/h"}});
    CHECK(user_cache_directory(both) == "/c/kiln");
    CHECK(user_config_directory(both) == "/f/kiln");
    const Environment home({{"HOME", "/h"}, {"XDG_CACHE_HOME", ""}, {"XDG_CONFIG_HOME", "rel"}});
    CHECK(user_cache_directory(home) == "/h/.cache/kiln");
    CHECK(user_config_directory(home) == "/h/.config/kiln");
    CHECK(user_cache_directory(Environment()).empty());
    CHECK(user_config_directory(Environment(Variables{{"HOME", "relative"}})).empty());
}
