// SPDX-License-Identifier: Apache-2.0
#include "base/digest_cache.h"
#include "base/fault_file_system.h"
#include "base/temporary_directory.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

using namespace kiln::base;
using kiln::test::FaultFileSystem;
namespace fs = std::filesystem;

namespace {

/// The real file system, and every file an hour old: ctime cannot be set back.
class AgedFileSystem : public FaultFileSystem {
  public:
    FileStatus status(const Path& path, std::error_code& error) override {
        FileStatus status = FaultFileSystem::status(path, error);
        status.stamp.mtime_ns -= hour;
        status.stamp.ctime_ns -= hour;
        return status;
    }
    static constexpr std::int64_t hour = 3'600'000'000'000;
};

struct CachePlace {
    TemporaryDirectory directory;
    fs::path file = directory.path() / "file";
    fs::path store = directory.path() / "store/digests";

    explicit CachePlace(std::string_view text = "contents") { write(text); }
    void write(std::string_view text) const { std::ofstream(file) << text; }
    /// The one file of the store.
    fs::path record() const {
        std::error_code error;
        const auto names = real_file_system().list(store, error);
        REQUIRE(names.size() == 1);
        return store / names.front();
    }
};

} // namespace

TEST_CASE("a settled file is read once, a new one every time") {
    const CachePlace place;
    AgedFileSystem aged;
    DigestCache cache(aged, {});
    for (int i = 0; i < 3; ++i) {
        const auto entry = cache.digest(place.file);
        REQUIRE(entry);
        CHECK(entry->digest == sha256("contents"));
        CHECK(entry->settled);
        CHECK(entry->stamp.size == 8);
    }
    CHECK(aged.calls("read") == 1);

    FaultFileSystem files;
    DigestCache fresh(files, place.store);
    for (int i = 0; i < 2; ++i) {
        const auto entry = fresh.digest(place.file, true);
        REQUIRE(entry);
        CHECK_FALSE(entry->settled);
    }
    CHECK(files.calls("read") == 2);
    CHECK_FALSE(fs::exists(place.store));
}

TEST_CASE("a changed file is read again") {
    const CachePlace place;
    AgedFileSystem files;
    DigestCache cache(files, place.store);
    CHECK(cache.digest(place.file, true)->digest == sha256("contents"));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    place.write("CONTENTS");
    CHECK(cache.digest(place.file, true)->digest == sha256("CONTENTS"));
    CHECK(DigestCache(files, place.store).digest(place.file, true)->digest == sha256("CONTENTS"));
    place.record();
}

TEST_CASE("what is absent or no file has no digest") {
    const CachePlace place;
    DigestCache cache(real_file_system(), {});
    CHECK_FALSE(cache.digest(place.directory.path() / "none"));
    CHECK_FALSE(cache.digest(place.directory.path()));
    CHECK_FALSE(cache.digest("/dev/null"));
}

TEST_CASE("another process finds the digest on disk") {
    const CachePlace place;
    AgedFileSystem files;
    DigestCache(files, place.store).digest(place.file, true);
    const int before = files.calls("read");
    const auto entry = DigestCache(files, place.store).digest(place.file, true);
    REQUIRE(entry);
    CHECK(entry->digest == sha256("contents"));
    CHECK(entry->settled);
    // The record, not the file.
    CHECK(files.calls("read") == before + 1);
    CHECK(fs::file_size(place.record()) == 96);
    struct stat status {};
    REQUIRE(::stat(place.store.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0700);
}

TEST_CASE("a damaged record costs a read and is written anew") {
    const CachePlace place;
    AgedFileSystem files;
    DigestCache(files, place.store).digest(place.file, true);
    std::error_code error;
    const std::string good = read_text(files, place.record());
    std::vector<std::string> bad{"", "KILNDIG1", good + "x", good.substr(0, 95)};
    for (std::size_t i = 0; i < good.size(); ++i) {
        bad.push_back(good);
        bad.back()[i] ^= 1;
    }
    for (const auto& text : bad) {
        publish_replace(files, place.record(), std::as_bytes(std::span(text)), error);
        REQUIRE(!error);
        const auto entry = DigestCache(files, place.store).digest(place.file, true);
        REQUIRE(entry);
        CHECK(entry->digest == sha256("contents"));
        CHECK(read_text(files, place.record()) == good);
    }
}

TEST_CASE("a store that fails costs nothing but reads") {
    const CachePlace place;
    for (const char* step : {"write_new", "rename", "make_directories"}) {
        CAPTURE(step);
        AgedFileSystem files;
        files.faults[step] = EROFS;
        DigestCache cache(files, place.store);
        CHECK(cache.digest(place.file, true)->digest == sha256("contents"));
        CHECK(cache.digest(place.file, true)->settled);
    }
    AgedFileSystem files;
    DigestCache cache(files, place.file / "not a directory");
    CHECK(cache.digest(place.file, true)->digest == sha256("contents"));
}

TEST_CASE("a file that changes while it is read is not taken for what it was") {
    /// Changes the file after each read, a few times.
    class Changing final : public AgedFileSystem {
      public:
        Changing(fs::path path, int changes) : path_(std::move(path)), left_(changes) {}
        std::vector<std::byte> read(const Path& path, std::uint64_t limit,
                                    std::error_code& error) override {
            auto bytes = AgedFileSystem::read(path, limit, error);
            if (left_-- > 0)
                std::ofstream(path_, std::ios::app) << "!";
            return bytes;
        }

      private:
        fs::path path_;
        int left_;
    };
    const CachePlace place;
    Changing once(place.file, 1);
    CHECK(DigestCache(once, {}).digest(place.file)->digest == sha256("contents!"));
    Changing always(place.file, 1000);
    CHECK_FALSE(DigestCache(always, {}).digest(place.file));
}

TEST_CASE("the caller's own reads are remembered if their stamp had settled") {
    const CachePlace place;
    AgedFileSystem files;
    std::error_code error;
    const FileStamp stamp = files.status(place.file, error).stamp;
    const Digest made_up = sha256("made up");
    DigestCache cache(files, {});
    cache.remember(stamp, made_up, stamp.ctime_ns);
    CHECK(cache.digest(place.file)->digest == sha256("contents"));
    cache.remember(stamp, made_up, wall_clock_ns());
    CHECK(cache.digest(place.file)->digest == made_up);
}

TEST_CASE("many threads may ask at once") {
    const CachePlace place(std::string(100000, 'x'));
    const Digest expected = sha256(std::string(100000, 'x'));
    AgedFileSystem files;
    DigestCache cache(files, place.store);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            for (int turn = 0; turn < 20; ++turn) {
                const auto entry = cache.digest(place.file, true);
                wrong += entry && entry->digest == expected ? 0 : 1;
            }
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(wrong == 0);
}
