// SPDX-License-Identifier: Apache-2.0
#include "source/header_graph.h"
#include "source/scratch.h"

#include <kiln/error.h>

using namespace kiln;
using namespace kiln::source;

TEST_CASE("the static graph: files, who includes them, what is missing and what must stay absent") {
    const test::Scratch scratch;
    const auto source = scratch.write("src/k.cu", "#include \"a.h\"\n#include <lib/b.h>\n");
    const auto a =
        scratch.write("src/a.h", "#pragma once\n#include <lib/b.h>\n#include \"k.cu\"\n");
    const auto b = scratch.write("two/lib/b.h", "#ifdef _WIN32\n#include <windows.h>\n#endif\n"
                                                "#if __has_include(<opt.h>)\n#endif\n");
    const SearchPath path({{"one", scratch.path("one")}, {"two", scratch.path("two")}});
    base::DigestCache digests(base::real_file_system(), {});
    const HeaderGraph graph = scan_graph(source, path, base::real_file_system(), digests);

    REQUIRE(graph.files.size() == 3);
    CHECK(graph.files[0].path == source);
    CHECK(graph.files[0].name == "k.cu");
    CHECK(graph.files[0].includes == std::vector<std::size_t>{1, 2});
    CHECK(graph.files[0].included_by == std::vector<std::string>{a.string() + ":3"});
    CHECK(graph.files[1].includes == std::vector<std::size_t>{2, 0});
    CHECK(graph.files[2].path == b);
    CHECK(graph.files[2].name == "lib/b.h");
    CHECK(graph.files[2].included_by ==
          std::vector<std::string>{source.string() + ":2", a.string() + ":2"});
    CHECK(graph.files[2].digest == base::sha256("#ifdef _WIN32\n#include <windows.h>\n#endif\n"
                                                "#if __has_include(<opt.h>)\n#endif\n"));
    REQUIRE(graph.missing.size() == 1);
    CHECK(graph.missing[0].name == "windows.h");
    CHECK(graph.missing[0].from == b.string() + ":2");
    CHECK(graph.missing[0].condition == "defined(_WIN32)");
    CHECK(graph.missing[0].tried.size() == 2);
    CHECK(graph.absent == std::vector<std::filesystem::path>{scratch.path("one/lib/b.h"),
                                                             scratch.path("one/opt.h"),
                                                             scratch.path("two/opt.h")});
    CHECK_FALSE(graph.truncated);
}

TEST_CASE("a source that cannot be read is an error that names it") {
    const test::Scratch scratch;
    base::DigestCache digests(base::real_file_system(), {});
    try {
        scan_graph(scratch.path("none.cu"), SearchPath(), base::real_file_system(), digests);
        FAIL("nothing was thrown");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::source_missing);
        CHECK(error.context("path") == scratch.path("none.cu").string());
    }
}

TEST_CASE("a FIFO on the path is passed over, not waited for") {
    const test::Scratch scratch;
    const auto source = scratch.write("k.cu", "#include <x.h>\n");
    std::filesystem::create_directories(scratch.path("one"));
    REQUIRE(::mkfifo(scratch.path("one/x.h").c_str(), 0600) == 0);
    const auto behind = scratch.write("two/x.h", "");
    const SearchPath path({{"one", scratch.path("one")}, {"two", scratch.path("two")}});
    base::DigestCache digests(base::real_file_system(), {});
    const HeaderGraph graph = scan_graph(source, path, base::real_file_system(), digests);
    REQUIRE(graph.files.size() == 2);
    CHECK(graph.files[1].path == behind);
}
