// SPDX-License-Identifier: Apache-2.0
#include "base/file_system.h"
#include "base/temporary_directory.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

using namespace kiln::base;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int patience_ms = 60000;

struct LockPlace {
    TemporaryDirectory directory;
    std::filesystem::path path = directory.path() / "lock";
    FileSystem& files = real_file_system();

    bool free() const {
        std::error_code error;
        return files.lock(path, 0, error) != nullptr;
    }
};

/// A child that holds the lock until it is killed. Returns when it has it.
class Holder {
  public:
    explicit Holder(const LockPlace& place) {
        int ready[2];
        REQUIRE(::pipe(ready) == 0);
        pid_ = ::fork();
        if (pid_ == 0) {
            std::error_code error;
            const auto lock = place.files.lock(place.path, patience_ms, error);
            const char answer = lock != nullptr ? 'y' : 'n';
            if (::write(ready[1], &answer, 1) == 1)
                ::pause();
            ::_exit(1);
        }
        char answer = 0;
        CHECK(::read(ready[0], &answer, 1) == 1);
        CHECK(answer == 'y');
        ::close(ready[0]);
        ::close(ready[1]);
    }
    ~Holder() {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }

  private:
    pid_t pid_ = -1;
};

} // namespace

TEST_CASE("a lock excludes another descriptor of the same process, and waits are bounded") {
    const LockPlace place;
    std::error_code error;
    auto lock = place.files.lock(place.path, 0, error);
    REQUIRE(lock != nullptr);
    CHECK(!error);
    struct stat status {};
    REQUIRE(::stat(place.path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0177) == 0);

    const auto begin = Clock::now();
    CHECK(place.files.lock(place.path, 50, error) == nullptr);
    CHECK(error == std::errc::timed_out);
    const auto waited = Clock::now() - begin;
    CHECK(waited >= std::chrono::milliseconds(50));
    CHECK(waited < std::chrono::seconds(60));
    CHECK(place.files.lock(place.path, -1, error) == nullptr);
    CHECK(error == std::errc::timed_out);

    lock.reset();
    lock = place.files.lock(place.path, 0, error);
    CHECK(lock != nullptr);
    CHECK(!error);
    CHECK(std::filesystem::exists(place.path));
}

TEST_CASE("threads take turns") {
    const LockPlace place;
    std::atomic<int> inside{0};
    std::atomic<int> overlaps{0};
    std::atomic<int> turns{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            for (int turn = 0; turn < 5; ++turn) {
                std::error_code error;
                const auto lock = place.files.lock(place.path, patience_ms, error);
                if (lock == nullptr)
                    continue;
                overlaps += inside.fetch_add(1) != 0 ? 1 : 0;
                std::this_thread::yield();
                --inside;
                ++turns;
            }
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(overlaps == 0);
    CHECK(turns == 40);
}

TEST_CASE("the lock of a killed process is free at once") {
    const LockPlace place;
    {
        const Holder holder(place);
        CHECK_FALSE(place.free());
    }
    CHECK(place.free());
}

TEST_CASE("a waiter gets the lock when its holder ends") {
    const LockPlace place;
    auto holder = std::make_unique<Holder>(place);
    std::thread ender([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        holder.reset();
    });
    std::error_code error;
    CHECK(place.files.lock(place.path, patience_ms, error) != nullptr);
    ender.join();
}

TEST_CASE("a forked child neither keeps its parent's lock nor frees it") {
    const LockPlace place;
    std::error_code error;
    auto lock = place.files.lock(place.path, 0, error);
    REQUIRE(lock != nullptr);
    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        lock.reset();
        if (::write(ready[1], "r", 1) == 1)
            ::pause();
        ::_exit(1);
    }
    char answer = 0;
    REQUIRE(::read(ready[0], &answer, 1) == 1);
    CHECK_FALSE(place.free());
    lock.reset();
    CHECK(place.free());
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);

    lock = place.files.lock(place.path, 0, error);
    REQUIRE(lock != nullptr);
    const pid_t idle = ::fork();
    if (idle == 0) {
        ::pause();
        ::_exit(1);
    }
    lock.reset();
    CHECK(place.free());
    ::kill(idle, SIGKILL);
    ::waitpid(idle, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST_CASE("a lock is never held on a file that was removed") {
    const LockPlace place;
    std::error_code error;
    auto first = place.files.lock(place.path, 0, error);
    REQUIRE(first != nullptr);
    std::thread waiter([&] {
        std::error_code failure;
        const auto second = place.files.lock(place.path, patience_ms, failure);
        CHECK(second != nullptr);
        CHECK_FALSE(place.free());
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    std::filesystem::remove(place.path);
    first.reset();
    waiter.join();
    CHECK(std::filesystem::exists(place.path));
}

TEST_CASE("where no lock can be had the error says why, at once") {
    const LockPlace place;
    std::error_code error;
    CHECK(place.files.lock(place.directory.path() / "no/lock", patience_ms, error) == nullptr);
    CHECK(error == std::errc::no_such_file_or_directory);
    CHECK(place.files.lock(place.directory.path(), patience_ms, error) == nullptr);
    CHECK(error == std::errc::is_a_directory);
    std::filesystem::create_symlink("elsewhere", place.directory.path() / "link");
    CHECK(place.files.lock(place.directory.path() / "link", patience_ms, error) == nullptr);
    CHECK(error == std::errc::too_many_symbolic_link_levels);
}
