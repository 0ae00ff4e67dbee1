// SPDX-License-Identifier: Apache-2.0
#include "base/fault_file_system.h"
#include "base/file_system.h"
#include "base/temporary_directory.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <thread>

using namespace kiln::base;
using kiln::test::FaultFileSystem;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

struct Place {
    TemporaryDirectory directory;
    std::filesystem::path path = directory.path() / "entry";

    std::vector<std::string> names() const {
        std::error_code error;
        return real_file_system().list(directory.path(), error);
    }
    std::string text() const { return read_text(real_file_system(), path); }
};

const std::vector<std::string> only_entry{"entry"};

} // namespace

TEST_CASE("the first publication wins and the second is told so") {
    const Place place;
    std::error_code error;
    CHECK(publish_new(real_file_system(), place.path, bytes_of("first"), error));
    CHECK(!error);
    CHECK_FALSE(publish_new(real_file_system(), place.path, bytes_of("second"), error));
    CHECK(!error);
    CHECK(place.text() == "first");
    CHECK(place.names() == only_entry);
}

TEST_CASE("publish_replace replaces, and the last wins") {
    const Place place;
    std::error_code error;
    publish_replace(real_file_system(), place.path, bytes_of("first"), error);
    CHECK(!error);
    publish_replace(real_file_system(), place.path, bytes_of("second"), error);
    CHECK(!error);
    CHECK(place.text() == "second");
    CHECK(place.names() == only_entry);
}

TEST_CASE("a file system without links publishes by exclusive rename") {
    for (const int refusal : {EPERM, EOPNOTSUPP, EMLINK, ENOSYS}) {
        CAPTURE(refusal);
        const Place place;
        FaultFileSystem files;
        files.faults["link"] = refusal;
        std::error_code error;
        CHECK(publish_new(files, place.path, bytes_of("first"), error));
        CHECK(!error);
        CHECK_FALSE(publish_new(files, place.path, bytes_of("second"), error));
        CHECK(!error);
        CHECK(files.calls("rename") == 0);
        CHECK(place.text() == "first");
        CHECK(place.names() == only_entry);
    }
}

TEST_CASE("a file system with neither publishes by rename and still keeps what is there") {
    for (const int refusal : {EINVAL, ENOSYS}) {
        CAPTURE(refusal);
        const Place place;
        FaultFileSystem files;
        files.faults["link"] = EPERM;
        files.faults["rename_new"] = refusal;
        std::error_code error;
        CHECK(publish_new(files, place.path, bytes_of("first"), error));
        CHECK(!error);
        CHECK_FALSE(publish_new(files, place.path, bytes_of("second"), error));
        CHECK(!error);
        CHECK(place.text() == "first");
        CHECK(place.names() == only_entry);
    }
}

TEST_CASE("a failure at any step is reported and leaves nothing") {
    const Place place;
    for (const char* step : {"write_new", "link"}) {
        for (const int failure : {EIO, ENOSPC, EDQUOT, EROFS, EACCES, ESTALE}) {
            CAPTURE(step);
            CAPTURE(failure);
            FaultFileSystem files;
            files.faults[step] = failure;
            std::error_code error;
            CHECK_FALSE(publish_new(files, place.path, bytes_of("x"), error));
            CHECK(error.value() == failure);
            CHECK(place.names().empty());
        }
    }
    FaultFileSystem files;
    files.faults["link"] = EPERM;
    files.faults["rename_new"] = EIO;
    std::error_code error;
    CHECK_FALSE(publish_new(files, place.path, bytes_of("x"), error));
    CHECK(error.value() == EIO);
    files.faults["rename_new"] = EINVAL;
    files.faults["rename"] = ENOSPC;
    CHECK_FALSE(publish_new(files, place.path, bytes_of("x"), error));
    CHECK(error.value() == ENOSPC);
    publish_replace(files, place.path, bytes_of("x"), error);
    CHECK(error.value() == ENOSPC);
    CHECK(place.names().empty());
}

TEST_CASE("a link that was done though its answer was lost counts as done") {
    const Place place;
    FaultFileSystem files;
    files.lost_answers["link"] = EEXIST;
    std::error_code error;
    CHECK(publish_new(files, place.path, bytes_of("x"), error));
    CHECK(!error);
    CHECK(place.text() == "x");
    CHECK(place.names() == only_entry);
}

TEST_CASE("a directory that does not exist is an error") {
    const Place place;
    std::error_code error;
    CHECK_FALSE(
        publish_new(real_file_system(), place.directory.path() / "no/x", bytes_of("x"), error));
    CHECK(error == std::errc::no_such_file_or_directory);
}

TEST_CASE("the longest possible name can be published") {
    const Place place;
    std::error_code error;
    const std::string name(255, 'n');
    CHECK(publish_new(real_file_system(), place.directory.path() / name, bytes_of("x"), error));
    CHECK(!error);
}

TEST_CASE("of eight threads exactly one publishes, and no reader sees a part") {
    for (const bool links : {true, false}) {
        CAPTURE(links);
        const Place place;
        FaultFileSystem files;
        if (!links)
            files.faults["link"] = EPERM;
        constexpr int threads = 8;
        constexpr std::size_t size = 1u << 20;
        std::atomic<int> ready{0};
        std::atomic<int> winners{0};
        std::atomic<int> winner{-1};
        std::atomic<int> failures{0};
        std::atomic<int> torn{0};
        const auto publish = [&](int number) {
            const std::string text(size, static_cast<char>('a' + number));
            ++ready;
            while (ready < threads)
                std::this_thread::yield();
            std::error_code error;
            if (publish_new(files, place.path, bytes_of(text), error)) {
                ++winners;
                winner = number;
            }
            failures += error ? 1 : 0;
            const std::string seen = place.text();
            torn += seen == std::string(size, seen.empty() ? '?' : seen.front()) ? 0 : 1;
        };
        std::vector<std::thread> pool;
        for (int i = 0; i < threads; ++i)
            pool.emplace_back(publish, i);
        for (auto& thread : pool)
            thread.join();
        CHECK(failures == 0);
        CHECK(winners == 1);
        CHECK(torn == 0);
        CHECK(place.text() == std::string(size, static_cast<char>('a' + winner)));
        CHECK(place.names() == only_entry);
    }
}
