// SPDX-License-Identifier: Apache-2.0
#include "toolkit/build_id.h"
#include "toolkit/toolkit_tree.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <string>

using kiln::toolkit::gnu_build_id;
using kiln::toolkit::text_in_section;

TEST_CASE("the build id that the linker was given") {
    CHECK(gnu_build_id(FAKE_NVRTC) == "00112233445566778899aabbccddeeff");
}

TEST_CASE("a file without a build id has none") {
    const ToolkitTree tree;
    CHECK_FALSE(gnu_build_id(tree / "absent"));
    CHECK_FALSE(gnu_build_id(tree.root()));
    CHECK_FALSE(gnu_build_id(tree.file("empty", "")));
    CHECK_FALSE(gnu_build_id(tree.file("text", "no ELF here, only text")));
    const auto fifo = tree / "fifo";
    REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
    CHECK_FALSE(gnu_build_id(fifo));
}

TEST_CASE("an ELF file cut anywhere, or with any byte of its headers changed, is survived") {
    const ToolkitTree tree;
    const std::string whole = contents_of(FAKE_NVRTC);
    REQUIRE(whole.size() > 2048);
    for (std::size_t size = 0; size < 1024; size += 29)
        CHECK_NOTHROW(gnu_build_id(tree.file("cut", whole.substr(0, size))));
    CHECK_FALSE(gnu_build_id(tree.file("cut", whole.substr(0, 64))));
    for (std::size_t at = 4; at < 640; at += 3) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0xff);
        const auto file = tree.file("changed", changed);
        CHECK_NOTHROW(gnu_build_id(file));
        CHECK_NOTHROW(text_in_section(file, ".rodata", "sm_75"));
    }
}

TEST_CASE("a text is found in its section by what it begins with") {
    CHECK(text_in_section(FAKE_NVRTC, ".dynstr", "nvrtcGetSupp") == "nvrtcGetSupportedArchs");
    CHECK(text_in_section(FAKE_NVRTC, ".rodata", "-arch=sm_90a") == "-arch=sm_90a");
    // Deep in the section, behind several windows.
    CHECK(text_in_section(FAKE_NVRTC, ".rodata", "the last ") == "the last text of the library");
    CHECK_FALSE(text_in_section(FAKE_NVRTC, ".rodata", "no such text"));
    CHECK_FALSE(text_in_section(FAKE_NVRTC, ".absent", "sm_90"));
    CHECK_FALSE(text_in_section("/absent", ".rodata", "sm_90"));
}
