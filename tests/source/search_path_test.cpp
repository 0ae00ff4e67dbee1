// SPDX-License-Identifier: Apache-2.0
#include "source/scratch.h"
#include "source/search_path.h"

using namespace kiln;
using namespace kiln::source;

TEST_CASE("the includer's directory, then the roots in order, system roots last") {
    const test::Scratch scratch;
    for (const char* file : {"src/x.h", "one/x.h", "two/x.h", "sys/x.h", "two/y.h", "sys/z.h"})
        scratch.write(file, "");
    const SearchPath path({{"sys", scratch.path("sys"), true},
                           {"one", scratch.path("one/"), false},
                           {"two", scratch.path("one/../two"), false}});
    CHECK(path.roots()[0].name == "one");
    CHECK(path.roots()[2].name == "sys");
    base::FileSystem& files = base::real_file_system();

    auto found = path.resolve("x.h", true, scratch.path("src"), files);
    REQUIRE(found.found);
    CHECK(found.found->path == scratch.path("src/x.h"));
    CHECK(found.found->root == "includer");
    CHECK(found.tried.empty());
    CHECK(found.shadowed.empty());

    found = path.resolve("x.h", false, scratch.path("src"), files, true);
    REQUIRE(found.found);
    CHECK(found.found->path == scratch.path("one/x.h"));
    REQUIRE(found.shadowed.size() == 2);
    CHECK(found.shadowed[0].path == scratch.path("two/x.h"));
    CHECK(found.shadowed[1].root == "sys");

    found = path.resolve("z.h", true, scratch.path("src"), files);
    REQUIRE(found.found);
    CHECK(found.found->root == "sys");
    CHECK(found.tried == std::vector<std::filesystem::path>{scratch.path("src/z.h"),
                                                            scratch.path("one/z.h"),
                                                            scratch.path("two/z.h")});

    found = path.resolve("none.h", false, {}, files);
    CHECK_FALSE(found.found);
    CHECK(found.tried.size() == 3);
    found = path.resolve(scratch.path("one/x.h").string(), false, {}, files);
    REQUIRE(found.found);
    CHECK(found.found->path == scratch.path("one/x.h"));
}

TEST_CASE("a directory that bears the name is passed over") {
    const test::Scratch scratch;
    scratch.write("one/vector/inner.h", "");
    scratch.write("two/vector", "");
    const SearchPath path({{"one", scratch.path("one")}, {"two", scratch.path("two")}});
    const auto found = path.resolve("vector", false, {}, base::real_file_system());
    REQUIRE(found.found);
    CHECK(found.found->path == scratch.path("two/vector"));
}

TEST_CASE("a name through a directory that is not there leads nowhere") {
    const test::Scratch scratch;
    scratch.write("one/x.h", "");
    const SearchPath path({{"one", scratch.path("one")}});
    CHECK_FALSE(path.resolve("absent/../x.h", false, {}, base::real_file_system()).found);
}

TEST_CASE("logical names take the longest root, and the first of equals") {
    const SearchPath path(
        {{"cuda", "/t/include"}, {"cccl", "/t/include/cccl"}, {"again", "/t/include"}});
    const auto deep = path.logical("/t/include/cccl/cub/cub.cuh");
    REQUIRE(deep);
    CHECK(deep->root == "cccl");
    CHECK(deep->relative == "cub/cub.cuh");
    CHECK(path.logical("/t/include/cuda.h")->root == "cuda");
    CHECK_FALSE(path.logical("/t/includes/cuda.h"));
    CHECK_FALSE(path.logical("/t/include"));
}

TEST_CASE("a name without a dot is looked for with .stdh too, as NVRTC does") {
    const test::Scratch scratch;
    scratch.write("two/cuda/std/span", "");
    const SearchPath path({{"one", scratch.path("one")}, {"two", scratch.path("two")}});
    auto found = path.resolve("cuda/std/span", false, {}, base::real_file_system());
    REQUIRE(found.found);
    CHECK(found.found->root == "two");
    CHECK(found.tried ==
          std::vector<std::filesystem::path>{scratch.path("one/cuda/std/span"),
                                             scratch.path("one/cuda/std/span.stdh")});
    scratch.write("one/cuda/std/span.stdh", "");
    found = path.resolve("cuda/std/span", false, {}, base::real_file_system());
    REQUIRE(found.found);
    CHECK(found.found->path == scratch.path("one/cuda/std/span.stdh"));
    CHECK(path.resolve("a.d/x.h", false, {}, base::real_file_system()).tried.size() == 2);
    CHECK(second_name("a.d/x") == "a.d/x.stdh");
}
