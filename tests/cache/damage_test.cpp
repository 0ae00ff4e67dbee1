// SPDX-License-Identifier: Apache-2.0
#include "cache/manifest.h"
#include "cache/project.h"

#include <fstream>

using namespace kiln;
using namespace kiln::cache;

namespace {

struct Damaged {
    test::Scratch scratch;
    test::Project project{scratch};
    test::Store store{scratch};
    std::filesystem::path entry;
    std::filesystem::path manifest;

    Damaged() {
        entry = store.compile(project).entry;
        for (const auto& file : test::files_below(store.directory / "v1/manifests"))
            manifest = file;
        REQUIRE_FALSE(manifest.empty());
    }
    static std::string contents(const std::filesystem::path& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    static void replace(const std::filesystem::path& path, const std::string& text) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
    }
    std::uint64_t quarantined() {
        return test::files_below(store.directory / "v1/quarantine").size();
    }
};

} // namespace

TEST_CASE("a damaged entry is moved aside, counted, and made again") {
    Damaged damaged;
    const std::string whole = Damaged::contents(damaged.entry);
    std::string text = whole;
    SUBCASE("a flipped bit") {
        text[100] = static_cast<char>(text[100] ^ 4);
    }
    SUBCASE("cut short") {
        text.resize(text.size() / 2);
    }
    SUBCASE("empty") {
        text.clear();
    }
    SUBCASE("foreign") {
        text = "#!/bin/sh\n";
    }
    Damaged::replace(damaged.entry, text);

    const Cache::Lookup found = damaged.store.open().find(damaged.project.request);
    CHECK_FALSE(found.hit);
    CHECK(found.miss_reason == "the entry was damaged");
    CHECK(damaged.quarantined() == 1);
    CHECK(damaged.store.get().statistics().counters.quarantined == 1);
    CHECK_FALSE(std::filesystem::exists(damaged.entry));

    damaged.store.compile(damaged.project);
    CHECK(test::same_image(*damaged.store.open().find(damaged.project.request).hit));
    CHECK(damaged.quarantined() == 1);
}

TEST_CASE("an entry renamed into another's place is not served") {
    Damaged damaged;
    const std::filesystem::path first = damaged.entry;
    const std::string contents = Damaged::contents(first);
    damaged.project.write("src/local.h", "int b;\n");
    damaged.entry = damaged.store.compile(damaged.project).entry;
    REQUIRE(first != damaged.entry);
    std::filesystem::rename(first, damaged.entry);
    CHECK(damaged.store.open().find(damaged.project.request).miss_reason ==
          "the entry was damaged");
    CHECK(damaged.quarantined() == 1);
}

TEST_CASE("an entry that was removed is made again") {
    Damaged damaged;
    std::filesystem::remove(damaged.entry);
    CHECK(damaged.store.find(damaged.project).hit); // still in memory
    CHECK(damaged.store.open().find(damaged.project.request).miss_reason == "the entry is gone");
    damaged.store.compile(damaged.project);
    CHECK(damaged.store.open().find(damaged.project.request).hit);
    CHECK(damaged.quarantined() == 0);
}

TEST_CASE("a store that finds a damaged entry in its place replaces it") {
    Damaged damaged;
    Damaged::replace(damaged.entry, "damaged");
    damaged.store.open();
    CHECK(test::same_image(damaged.store.compile(damaged.project)));
    CHECK(damaged.quarantined() == 1);
    CHECK(test::same_image(*damaged.store.open().find(damaged.project.request).hit));
}

TEST_CASE("a damaged manifest is moved aside and made again: every byte, some lengths") {
    Damaged damaged;
    const std::string whole = Damaged::contents(damaged.manifest);
    for (std::size_t i = 0; i < whole.size(); i += 7) {
        std::string text = whole;
        if (i % 2 == 0)
            text[i] = static_cast<char>(~text[i]);
        else
            text.resize(i);
        Damaged::replace(damaged.manifest, text);
        const Cache::Lookup found = damaged.store.open().find(damaged.project.request);
        CHECK_FALSE(found.hit);
        CHECK(found.miss_reason == "the manifest was damaged");
        CHECK_FALSE(std::filesystem::exists(damaged.manifest));
    }
    // The inquest keeps a bounded number.
    CHECK(damaged.quarantined() <= 100);
    damaged.store.compile(damaged.project);
    CHECK(damaged.store.open().find(damaged.project.request).hit);
}

TEST_CASE("damage that somebody has mended meanwhile is left alone") {
    Damaged damaged;
    const std::string whole = Damaged::contents(damaged.entry);
    // Reads damage once, then what is really there.
    class MendedFileSystem : public test::FaultFileSystem {
      public:
        std::filesystem::path damaged;
        std::vector<std::byte> read(const Path& path, std::uint64_t limit,
                                    std::error_code& error) override {
            auto bytes = FaultFileSystem::read(path, limit, error);
            if (path == damaged && !bytes.empty()) {
                damaged.clear();
                bytes.pop_back();
            }
            return bytes;
        }
    };
    auto files = std::make_unique<MendedFileSystem>();
    files->damaged = damaged.entry;
    damaged.store.cache.reset();
    damaged.store.files = std::move(files);
    CHECK_FALSE(damaged.store.open().find(damaged.project.request).hit);
    CHECK(damaged.quarantined() == 0);
    CHECK(damaged.store.find(damaged.project).hit);
}
