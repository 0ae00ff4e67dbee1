// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_directory.h"
#include "compile/opened_files.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace kiln::compile;
namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

TEST_CASE("an include trace is a list of paths, indented by depth") {
    const auto opened = parse_include_trace("__nv_nvrtc_builtin_header.h\n"
                                            "/k/sib.h\n"
                                            "/k/inc/a.h\n"
                                            " /k/inc/b c.h\n"
                                            "  /k/inc/./d.h\n"
                                            "/k/inc/d.h\n"
                                            "__nv_name_map\n");
    REQUIRE(opened);
    CHECK(*opened == Paths{"/k/sib.h", "/k/inc/a.h", "/k/inc/b c.h", "/k/inc/d.h"});
}

TEST_CASE("what is no include trace gives no list") {
    CHECK_FALSE(parse_include_trace(""));
    CHECK_FALSE(parse_include_trace("/k/a.h\nrelative.h\n"));
    CHECK_FALSE(parse_include_trace("Command-line error: what is this\n"));
}

TEST_CASE("a time trace names the files in its events") {
    const auto opened = parse_time_trace(R"({"otherData": {}, "traceEvents": [{},
        {"name": "Processing Header File", "args": {"detail": "__nv_nvrtc_builtin_header.h"}},
        {"name": "OptFunction", "args": {"detail": "/not/a/header"}},
        {"name": "Processing Header File", "args": {"detail": "/k/a.h"}},
        {"name": "Processing Header File", "args": {"detail": "/k/a.h"}}]})");
    REQUIRE(opened);
    CHECK(*opened == Paths{"/k/a.h"});
    CHECK_FALSE(parse_time_trace("{}"));
    CHECK_FALSE(parse_time_trace("{\"traceEvents\": [ truncated"));
    CHECK_FALSE(parse_time_trace(
        R"({"traceEvents": [{"name": "Processing Header File", "args": {"detail": "a.h"}}]})"));
}

TEST_CASE("line markers with flag 1 enter a file") {
    const auto opened = parse_line_markers("# 0 \"unit.cu\"\n"
                                           "# 0 \"<built-in>\"\n"
                                           "# 1 \"kiln/macros.h\" 1\n"
                                           "# 1 \"/usr/include/stdc-predef.h\" 1 3 4\n"
                                           "# 0 \"<command-line>\" 2\n"
                                           "# 12 \"/not/entered.h\"\n"
                                           "# 13 \"/returned/to.h\" 2\n"
                                           "#pragma once\n"
                                           "  # 1 \"/in/text.h\" 1\n"
                                           "# 1 \"/k/back\\\\sla\\\"sh.h\" 1\n"
                                           "# 1 \"/k/\\346\\227\\245.h\" 1\n");
    REQUIRE(opened);
    CHECK(*opened ==
          Paths{"/usr/include/stdc-predef.h", "/k/back\\sla\"sh.h", "/k/\xE6\x97\xA5.h"});
    CHECK_FALSE(parse_line_markers(""));
    CHECK_FALSE(parse_line_markers("# 1 \"/cut/off"));
}

TEST_CASE("`..` after a symbolic link keeps its meaning") {
    const kiln::base::TemporaryDirectory directory("kiln-test-");
    const auto root = fs::canonical(directory.path());
    fs::create_directories(root / "real/deep");
    std::ofstream(root / "real/x.h") << "//";
    fs::create_directory_symlink(root / "real/deep", root / "link");
    CHECK(normalised(root / "link/../x.h") == root / "real/x.h");
    CHECK(normalised(root / "real/deep/../x.h") == root / "real/x.h");
    CHECK(normalised("/k/./a//b.h") == fs::path("/k/a/b.h"));
}

TEST_CASE("files are spelled as the root that holds them is") {
    const kiln::base::TemporaryDirectory directory("kiln-test-");
    const auto base = fs::canonical(directory.path());
    fs::create_directories(base / "real/include/cccl/cub");
    fs::create_directories(base / "targets");
    fs::create_directory_symlink(base / "real/include", base / "targets/include");
    fs::create_directory_symlink(base / "real", base / "link");
    const std::vector<kiln::source::Root> roots{{"cccl", base / "link/include/cccl", false},
                                                {"cuda", base / "link/include", false},
                                                {"gone", base / "gone", false}};
    Paths files{base / "targets/include/cccl/cub/a.h", base / "real/include/b.h",
                base / "link/include/c.h", "/usr/include/d.h"};
    respell(files, roots);
    CHECK(files == Paths{base / "link/include/cccl/cub/a.h", base / "link/include/b.h",
                         base / "link/include/c.h", "/usr/include/d.h"});
}
