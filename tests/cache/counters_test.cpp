// SPDX-License-Identifier: Apache-2.0
#include "cache/counters.h"
#include "cache/project.h"

using namespace kiln;
using namespace kiln::cache;

TEST_CASE("counts are read as they were written; what is not understood counts nothing") {
    Counters counters;
    counters.memory_hits = 3;
    counters.compiles = 18'446'744'073'709'551'615u;
    CHECK(encode_counters(counters) == "memory_hits 3\ncompiles 18446744073709551615\n");
    CHECK(decode_counters(encode_counters(counters)) == counters);
    CHECK(decode_counters("misses -1\nmisses\nnonsense 4\n\nmisses 9x") == Counters{});
    CHECK(decode_counters("disk_hits 7").disk_hits == 7);
    CHECK((counters + counters).memory_hits == 6);
}

TEST_CASE("counts of many processes add up, in few files") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch);
    store.compile(project);
    for (int i = 0; i < 100; ++i) {
        REQUIRE(store.open().find(project.request).hit);
        CHECK(store.find(project).hit);
    }
    store.get().flush_counters();
    const Counters counters = store.get().statistics().counters;
    CHECK(counters.compiles == 1);
    CHECK(counters.disk_hits == 100);
    CHECK(counters.memory_hits == 100);
    CHECK(counters.misses == 0);
    CHECK(test::files_below(store.directory / "v1/counters").size() <= 65);
}

TEST_CASE("a process that only looked makes no directory") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch);
    CHECK_FALSE(store.find(project).hit);
    store.cache.reset();
    CHECK_FALSE(std::filesystem::exists(store.directory));
}
