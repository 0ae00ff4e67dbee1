// SPDX-License-Identifier: Apache-2.0
#include "cache/inputs.h"

#include <doctest/doctest.h>

using namespace kiln;
using namespace kiln::cache;

namespace {

const std::vector<NamedRoot> roots{{"source", "/home/me/p/src"},
                                   {"I0", "/home/me/p/inc"},
                                   {"cuda", "/opt/cuda/include"},
                                   {"cccl", "/opt/cuda/include/cccl"},
                                   {"I0", "/home/me/p/again"}};

std::string named(const std::filesystem::path& path) {
    std::string result;
    for (const LogicalPath& name : logical_names(path, roots))
        result += (result.empty() ? "" : " ") + name.str();
    return result;
}

} // namespace

TEST_CASE("names are by the longest root") {
    CHECK(named("/home/me/p/src/k.cu") == "source:k.cu");
    CHECK(named("/opt/cuda/include/cuda.h") == "cuda:cuda.h");
    CHECK(named("/opt/cuda/include/cccl/cub/cub.cuh") == "cccl:cub/cub.cuh");
    CHECK(to_logical("/home/me/p/inc/a/b.h", roots) == LogicalPath{"I0", "a/b.h"});
}

TEST_CASE("a file beside the roots is named from each that may have led to it") {
    CHECK(named("/home/me/p/common/x.h") == "source:../common/x.h I0:../common/x.h");
    CHECK(named("/home/me/x.h") == "source:../../x.h I0:../../x.h");
    CHECK(named("/opt/other/x.h") == "cuda:../../other/x.h cccl:../../../other/x.h");
}

TEST_CASE("system files, and those that share no directory with a root, keep their path") {
    CHECK(named("/usr/include/math.h") == "/usr/include/math.h");
    CHECK(named("/data/x.h") == "/data/x.h");
    CHECK(to_logical("/data/x.h", roots).root == "/");
}

TEST_CASE("a second root of one name names nothing") {
    CHECK(named("/home/me/p/again/x.h") == "source:../again/x.h I0:../again/x.h");
}

TEST_CASE("names lead back to their paths") {
    for (const char* path : {"/home/me/p/src/k.cu", "/opt/cuda/include/cccl/cub/cub.cuh",
                             "/home/me/p/common/x.h", "/usr/include/math.h", "/data/x.h"}) {
        for (const LogicalPath& name : logical_names(path, roots))
            CHECK(to_path(name, roots).lexically_normal() == path);
    }
    CHECK(to_path({"none", "x.h"}, roots).empty());
    CHECK(to_path({"I0", ""}, roots) == "/home/me/p/inc");
}

TEST_CASE("the key counts names, contents and absent names, and no stamp") {
    InputSet set;
    set.files = {{{"source", "k.cu"}, base::sha256("one"), {}, false},
                 {{"I0", "a.h"}, base::sha256("two"), {}, false}};
    set.absent = {{{"I0", "lib"}, std::string("x.h\0y.h\0", 8)}};
    const base::Digest request = base::sha256("request");
    const base::Digest key = set.key(request);
    CHECK(set.key(base::sha256("another")) != key);

    const auto differs = [&](auto change) {
        InputSet other = set;
        change(other);
        return other.key(request) != key;
    };
    CHECK(differs([](InputSet& s) { s.files[0].digest = base::sha256("three"); }));
    CHECK(differs([](InputSet& s) { s.files[1].name.relative = "b.h"; }));
    CHECK(differs([](InputSet& s) { s.files[1].name.root = "I1"; }));
    CHECK(differs([](InputSet& s) { s.files.pop_back(); }));
    CHECK(differs([](InputSet& s) { s.absent[0].missing.relative = "lob"; }));
    CHECK(differs([](InputSet& s) { s.absent[0].below = std::string("x.h\0", 4); }));
    CHECK(differs([](InputSet& s) { s.absent.clear(); }));

    CHECK_FALSE(differs([](InputSet& s) {
        s.files[0].stamp = {1, 2, 3, 4, 5};
        s.files[0].settled = true;
    }));
    // How absent names are grouped depends on what directories happen to be there.
    CHECK_FALSE(differs([](InputSet& s) {
        s.absent = {{{"I0", "lib/x.h"}, {}}, {{"I0", "lib/y.h"}, {}}};
    }));
}
