// SPDX-License-Identifier: Apache-2.0
#include "cache/project.h"

#include <fstream>

using namespace kiln;
using namespace kiln::cache;

TEST_CASE("what is there, by target, and what each entry says of itself") {
    const test::Scratch scratch;
    test::Project project(scratch);
    test::Store store(scratch);
    store.compile(project);
    project.write("src/local.h", "int b;\n");
    store.compile(project);
    const Statistics statistics = store.get().statistics();
    CHECK(statistics.entries == 2);
    CHECK(statistics.by_target == std::map<std::string, std::uint64_t>{{"sm_90a", 2}});
    CHECK(statistics.bytes > 2 * test::image_90a().size());
    CHECK(statistics.counters.compiles == 2);

    const std::vector<EntryInfo> list = store.get().list();
    REQUIRE(list.size() == 2);
    CHECK(list[0].bytes + list[1].bytes == statistics.bytes);
    CHECK(list[0].path < list[1].path);
    CHECK(list[0].metadata.label == "k{dtype=float}");
    CHECK(list[0].metadata.target == Target::parse("sm_90a"));
    CHECK(list[0].metadata.fields == project.request.fields);
    CHECK(list[0].metadata.created_ns > 0);
    CHECK(list[0].metadata.log.empty());
}

TEST_CASE("clearing removes the cache's own files and nothing else") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch);
    const std::filesystem::path entry = store.compile(project).entry;
    const std::filesystem::path folder = entry.parent_path();

    std::vector<std::filesystem::path> foreign{
        scratch.write("cache/notes.txt", "mine"),
        scratch.write("cache/v1/notes.txt", "mine"),
        scratch.write("cache/v1/sm_90a/notes.txt", "mine"),
        scratch.write("cache/v1/sm_90x/ab/" + std::string(64, 'a') + ".cubin", "mine"),
        scratch.write("cache/v1/manifests/ab/notes", "mine"),
        scratch.write("cache/v2/sm_90a/ab/" + std::string(64, 'a') + ".cubin", "mine"),
        scratch.write("outside/ab/" + std::string(64, 'a') + ".cubin", "mine"),
        scratch.write("outside/" + std::string(64, 'a') + ".cubin", "mine")};
    std::ofstream(folder / "README") << "mine";
    foreign.push_back(folder / "README");
    // Links of the right names that lead outside.
    std::filesystem::create_directory_symlink(scratch.path("outside"),
                                              store.directory / "v1/sm_80");
    std::filesystem::create_directory_symlink(scratch.path("outside"),
                                              store.directory / "v1/sm_90a/cd");
    std::filesystem::create_symlink(foreign[7], folder / (std::string(64, 'b') + ".cubin"));

    CHECK(store.get().statistics().entries == 1);
    CHECK(store.get().list().size() == 1);
    CHECK(store.get().clear() == 1);
    CHECK_FALSE(std::filesystem::exists(entry));
    for (const auto& file : foreign) {
        CAPTURE(file.string());
        CHECK(std::filesystem::exists(file));
    }
    CHECK_FALSE(store.find(project).hit);
    CHECK_FALSE(store.open().find(project.request).hit);
    CHECK(store.get().statistics().entries == 0);
    store.compile(project);
    CHECK(store.open().find(project.request).hit);
}

TEST_CASE("clearing forgets manifests, records and damaged files too") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch);
    const Cubin cubin = store.compile(project);
    std::ofstream(cubin.entry) << "damaged";
    CHECK_FALSE(store.open().find(project.request).hit);
    scratch.write("cache/v1/digests/" + std::string(32, '0'), "a remembered digest");
    CHECK(store.get().clear() == 0);
    for (const char* folder : {"manifests", "latest", "digests", "quarantine"})
        CHECK(test::files_below(store.directory / "v1" / folder).empty());
    CHECK(store.find(project).miss_reason == "never seen");
}

TEST_CASE("nothing to clear is no trouble") {
    const test::Scratch scratch;
    test::Store store(scratch);
    CHECK(store.get().clear() == 0);
    CHECK(store.get().list().empty());
    CHECK(store.get().statistics().entries == 0);
    CHECK_FALSE(std::filesystem::exists(store.directory));
}
