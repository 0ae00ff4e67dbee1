// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"
#include "toolkit/nvrtc_library.h"
#include "toolkit/toolkit_tree.h"

#include <kiln/error.h>

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <algorithm>
#include <sstream>

using namespace kiln::toolkit;

namespace {

/// A copy of the fake NVRTC under a name of its own, so that the loader takes it for another.
std::filesystem::path copy_of_fake(const ToolkitTree& tree, const std::filesystem::path& name) {
    std::filesystem::create_directories((tree / name).parent_path());
    std::filesystem::copy_file(FAKE_NVRTC, tree / name);
    return tree / name;
}

bool loaded(const std::filesystem::path& path) {
    const auto all = loaded_nvrtc();
    return std::any_of(all.begin(), all.end(), [&](const LoadedNvrtc& library) {
        return library.path == path && library.version == "12.0";
    });
}

} // namespace

TEST_CASE("NVRTC is opened by its absolute path, and stays") {
    const ToolkitTree tree;
    const auto nvrtc = copy_of_fake(tree, "lib/libnvrtc.so.12");
    const auto builtins = copy_of_fake(tree, "lib/libnvrtc-builtins.so.12.0");
    CHECK_FALSE(loaded(nvrtc));
    {
        const auto library = NvrtcLibrary::open(nvrtc, builtins);
        CHECK(library->path == nvrtc);
        int major = 0;
        int minor = 0;
        CHECK(library->version(&major, &minor) == NVRTC_SUCCESS);
        CHECK(major == 12);
        CHECK(library->get_error_string(NVRTC_SUCCESS) != std::string());
    }
    CHECK(loaded(nvrtc));
}

TEST_CASE("another NVRTC that is loaded already is said in the log") {
    const ToolkitTree tree;
    const auto other = copy_of_fake(tree, "other/libnvrtc.so.12");
    const auto nvrtc = copy_of_fake(tree, "lib/libnvrtc.so.12");
    const auto builtins = copy_of_fake(tree, "lib/libnvrtc-builtins.so.12.0");
    REQUIRE(::dlopen(other.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr);
    CHECK(loaded(other));

    std::ostringstream text;
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text);
    kiln::base::log().sinks().push_back(sink);
    const auto library = NvrtcLibrary::open(nvrtc, builtins);
    kiln::base::log().sinks().pop_back();
    CHECK(library->path == nvrtc);
    CHECK(contains(text.str(), other.string() + " (CUDA 12.0); Kiln uses " + nvrtc.string()));
}

TEST_CASE("a library that is no NVRTC is refused by name") {
    const ToolkitTree tree;
    const auto builtins = copy_of_fake(tree, "lib/libnvrtc-builtins.so.12.0");
    const auto refusal = [&](const std::filesystem::path& nvrtc) {
        try {
            NvrtcLibrary::open(nvrtc, builtins);
        } catch (const kiln::Error& error) {
            CHECK(error.code() == kiln::ErrorCode::toolkit_unfit);
            CHECK_FALSE(error.hint().empty());
            return error.message();
        }
        return std::string("no error");
    };
    CHECK(contains(refusal(tree.file("text/libnvrtc.so.12", "text")), "text/libnvrtc.so.12 cannot "
                                                                      "be loaded"));
    CHECK(contains(refusal(tree / "absent/libnvrtc.so.12"), "cannot be loaded"));
    CHECK(contains(refusal("libnvrtc.so.12"), "not an absolute path"));
    CHECK(contains(refusal(""), "has no libnvrtc"));
    CHECK(contains(refusal("/usr/lib/x86_64-linux-gnu/libz.so.1"), "libz.so.1"));
}
