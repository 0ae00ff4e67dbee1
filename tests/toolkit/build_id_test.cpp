// SPDX-License-Identifier: Apache-2.0
#include "toolkit/build_id.h"
#include "toolkit/toolkit_tree.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <string>

using kiln::toolkit::elf_section;
using kiln::toolkit::gnu_build_id;

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
    for (std::size_t size = 0; size < 1024; size += 7)
        CHECK_NOTHROW(gnu_build_id(tree.file("cut", whole.substr(0, size))));
    CHECK_FALSE(gnu_build_id(tree.file("cut", whole.substr(0, 64))));
    for (std::size_t at = 4; at < 640; ++at) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0xff);
        const auto file = tree.file("changed", changed);
        CHECK_NOTHROW(gnu_build_id(file));
        CHECK_NOTHROW(elf_section(file, ".rodata", 1 << 20));
    }
}

TEST_CASE("a section by name, up to a limit") {
    const auto names = elf_section(FAKE_NVRTC, ".dynstr", 1 << 20);
    REQUIRE(names);
    CHECK(contains({names->data(), names->size()}, "nvrtcGetSupportedArchs"));
    CHECK_FALSE(elf_section(FAKE_NVRTC, ".dynstr", names->size() - 1));
    CHECK_FALSE(elf_section(FAKE_NVRTC, ".absent", 1 << 20));
}
