// SPDX-License-Identifier: Apache-2.0
#include "toolkit/remembered_answer.h"
#include "toolkit/toolkit_tree.h"

#include <doctest/doctest.h>

#include <string>

using namespace kiln::toolkit;

namespace {

const std::string identity(64, 'a');

Capabilities answer() {
    Capabilities capabilities;
    capabilities.nvrtc = {kiln::Target::parse("sm_90"), kiln::Target::parse("sm_90a")};
    capabilities.nvcc = {kiln::Target::parse("sm_120f")};
    capabilities.nvrtc_version = "13.0";
    return capabilities;
}

} // namespace

TEST_CASE("an answer is kept under its identity") {
    const ToolkitTree tree;
    auto& files = kiln::base::real_file_system();
    const auto directory = tree / "deep/memory";
    CHECK_FALSE(recall(files, directory, identity));
    remember(files, directory, identity, answer());
    const auto kept = recall(files, directory, identity);
    REQUIRE(kept);
    CHECK(kept->nvrtc == answer().nvrtc);
    CHECK(kept->nvcc == answer().nvcc);
    CHECK(kept->nvrtc_version == "13.0");
    CHECK_FALSE(recall(files, directory, std::string(64, 'b')));
    // Nothing but the one whole file is left.
    CHECK(std::distance(std::filesystem::directory_iterator(directory), {}) == 1);
}

TEST_CASE("an answer with trouble in it is not kept") {
    const ToolkitTree tree;
    auto& files = kiln::base::real_file_system();
    auto nvrtc = answer();
    nvrtc.nvrtc_error = "no builtins";
    remember(files, tree.root(), identity, nvrtc);
    CHECK_FALSE(recall(files, tree.root(), identity));
    auto nvcc = answer();
    nvcc.nvcc_error = "no host compiler";
    remember(files, tree.root(), identity, nvcc);
    CHECK_FALSE(recall(files, tree.root(), identity));
}

TEST_CASE("a damaged, foreign or unreadable memory is passed over, and replaced") {
    const ToolkitTree tree;
    auto& files = kiln::base::real_file_system();
    const auto file = tree / (identity + ".json");
    remember(files, tree.root(), identity, answer());
    const auto whole = contents_of(file);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = whole;
        const auto at = text.find(from);
        REQUIRE(at != std::string::npos);
        return text.replace(at, from.size(), to);
    };
    for (const auto& damaged :
         {std::string(), whole.substr(0, whole.size() / 2), std::string("[]"),
          with("\"schema\": 1", "\"schema\": 2"), with(identity, std::string(64, 'b')),
          with("sm_90a", "sm_banana"), with("\"13.0\"", "13.0"), with("\"nvcc\"", "\"other\"")}) {
        CAPTURE(damaged);
        tree.file(identity + ".json", damaged);
        CHECK_FALSE(recall(files, tree.root(), identity));
        remember(files, tree.root(), identity, answer());
        CHECK(recall(files, tree.root(), identity));
    }
}

TEST_CASE("an identity that is no hexadecimal number never becomes part of a path") {
    const ToolkitTree tree;
    auto& files = kiln::base::real_file_system();
    std::filesystem::create_directories(tree / "memory");
    for (const char* odd : {"", "../escape", "a/b", "name"}) {
        remember(files, tree / "memory", odd, answer());
        CHECK_FALSE(recall(files, tree / "memory", odd));
    }
    CHECK(std::filesystem::is_empty(tree / "memory"));
    CHECK_FALSE(std::filesystem::exists(tree / "escape.json"));
}

TEST_CASE("a memory that cannot be written costs nothing but the memory") {
    const ToolkitTree tree;
    auto& files = kiln::base::real_file_system();
    const auto blocked = tree.file("file") / "memory";
    CHECK_NOTHROW(remember(files, blocked, identity, answer()));
    CHECK_FALSE(recall(files, blocked, identity));
}
