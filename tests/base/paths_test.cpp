// SPDX-License-Identifier: Apache-2.0
#include "base/paths.h"
#include "base/temporary_directory.h"

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

using namespace kiln::base;
namespace fs = std::filesystem;

namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

/// The probe library in a fresh tree: `<root>/lib/<name>.so`, opened by a relative name. The name
/// is new each time: the loader may keep a library that was closed, and would take it for this one.
class Installed {
  public:
    Installed() {
        const auto name = fs::path("lib") / root().filename() += ".so";
        fs::create_directory(root() / "lib");
        fs::copy_file(image_directory() / "libbase_image_probe.so", root() / name);
        const auto before = fs::current_path();
        fs::current_path(root());
        library_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        fs::current_path(before);
        REQUIRE_MESSAGE(library_ != nullptr, ::dlerror());
    }
    Installed(const Installed&) = delete;
    Installed& operator=(const Installed&) = delete;
    ~Installed() {
        if (library_ != nullptr)
            ::dlclose(library_);
    }

    fs::path root() const { return fs::canonical(directory_.path()); }
    void add(const fs::path& file) const {
        fs::create_directories((root() / file).parent_path());
        std::ofstream(root() / file) << "text";
    }
    template <class... Arguments>
    fs::path ask(const char* question, Arguments... arguments) const {
        using Function = const char* (*)(Arguments...);
        void* const symbol = ::dlsym(library_, question);
        REQUIRE(symbol != nullptr);
        return reinterpret_cast<Function>(symbol)(arguments...);
    }

  private:
    TemporaryDirectory directory_;
    void* library_ = nullptr;
};

} // namespace

TEST_CASE("a library that was opened by a relative name knows its directory") {
    const Installed kiln;
    CHECK(kiln.ask("probe_image_directory") == kiln.root() / "lib");
}

TEST_CASE("what ships is found beside the library and above it, the nearest first") {
    const Installed kiln;
    const auto find = [&] { return kiln.ask("probe_shipped_file", "kernels/catalog.yaml"); };
    CHECK(find().empty());
    kiln.add("share/kiln/kernels/catalog.yaml");
    CHECK(find() == kiln.root() / "share/kiln/kernels/catalog.yaml");
    kiln.add("lib/share/kiln/kernels/catalog.yaml");
    CHECK(find() == kiln.root() / "lib/share/kiln/kernels/catalog.yaml");
}

TEST_CASE("the worker program is found beside the library and in libexec") {
    const Installed kiln;
    CHECK(kiln.ask("probe_worker_program").empty());
    kiln.add("libexec/kiln/kiln-worker");
    CHECK(kiln.ask("probe_worker_program") == kiln.root() / "libexec/kiln/kiln-worker");
    kiln.add("lib/kiln-worker");
    CHECK(kiln.ask("probe_worker_program") == kiln.root() / "lib/kiln-worker");
}

TEST_CASE("the image directory is this program's, wherever the working directory is") {
    const auto expected = fs::read_symlink("/proc/self/exe").parent_path();
    CHECK(image_directory() == expected);
    const auto before = fs::current_path();
    const TemporaryDirectory elsewhere;
    fs::current_path(elsewhere.path());
    CHECK(image_directory() == expected);
    fs::current_path(before);
}

TEST_CASE("a relative path in a working directory that was removed is an error with a code") {
    const auto before = fs::current_path();
    CHECK(absolute_path("a/../b", kiln::ErrorCode::usage) == before / "a/../b");
    {
        const TemporaryDirectory gone;
        fs::current_path(gone.path());
    }
    CHECK(absolute_path("/a/b", kiln::ErrorCode::usage) == "/a/b");
    try {
        absolute_path("b", kiln::ErrorCode::catalog);
        FAIL_CHECK("nothing was thrown");
    } catch (const kiln::Error& error) {
        CHECK(error.code() == kiln::ErrorCode::catalog);
        CHECK(error.context("path") == "b");
    }
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
