// SPDX-License-Identifier: Apache-2.0
#include "source/scratch.h"
#include "source/search_path.h"

using namespace kiln;
using namespace kiln::source;

TEST_CASE("near misses: the whole name below a root, then its end, then a like name") {
    const test::Scratch scratch;
    const auto whole = scratch.write("pkg/data/include/fi/comm/allreduce_fusion.cuh", "");
    const auto end = scratch.write("other/allreduce_fusion.cuh", "");
    const auto like = scratch.write("other/allreduce_fusoin.cuh", "");
    scratch.write("other/norm.cuh", "");
    const SearchPath path({{"other", scratch.path("other")}, {"pkg", scratch.path("pkg")}});
    base::FileSystem& files = base::real_file_system();
    CHECK(path.suggestions("fi/comm/allreduce_fusion.cuh", files) ==
          std::vector<std::filesystem::path>{whole, end, like});
    CHECK(path.suggestions("fi/comm/allreduce_fusion.cuh", files, 1) ==
          std::vector<std::filesystem::path>{whole});
    CHECK(path.suggestions("nothing_like_it.h", files).empty());
    CHECK(path.suggestions("", files).empty());
}

TEST_CASE("links that lead back end the walk") {
    const test::Scratch scratch;
    const auto file = scratch.write("root/a/x.h", "");
    std::filesystem::create_directory_symlink(scratch.path("root"), scratch.path("root/a/loop"));
    const SearchPath path({{"root", scratch.path("root")}});
    CHECK(path.suggestions("b/x.h", base::real_file_system()) ==
          std::vector<std::filesystem::path>{file});
}
