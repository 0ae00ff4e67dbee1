// SPDX-License-Identifier: Apache-2.0
// Many threads and many processes at once.
#include "base/log.h"
#include "faults/figures.h"
#include "faults/nth_fault.h"
#include "faults/site.h"
#include "source/scratch.h"

#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

using namespace kiln;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Processes that wait for one byte and then ask for kernel 0 all at once. Returns how many got
/// the right bytes.
int ask_at_once(const test::Site& site, const cache::CacheOptions& options, int count,
                int compile_ms, base::FileSystem& files) {
    int gate[2];
    REQUIRE(::pipe(gate) == 0);
    std::vector<pid_t> children;
    for (int i = 0; i < count; ++i) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            ::close(gate[1]);
            char byte = 0;
            (void)!::read(gate[0], &byte, 1);
            bool good = false;
            try {
                test::Site::Process process(options, files);
                good = test::same_bytes(site.get(process, 0, compile_ms), site.image(0));
            } catch (...) {
                good = false;
            }
            ::_exit(good ? 0 : 1);
        }
        children.push_back(child);
    }
    ::close(gate[0]);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    ::close(gate[1]);
    int right = 0;
    for (const pid_t child : children) {
        int status = -1;
        REQUIRE(::waitpid(child, &status, 0) == child);
        right += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return right;
}

std::uint64_t compiles_in(const cache::CacheOptions& options) {
    test::Site::Process process(options, base::real_file_system());
    return process.cache.statistics().counters.compiles;
}

} // namespace

TEST_CASE("64 threads look up, store, forget and clear") {
    base::set_log_level("off");
    const test::Scratch scratch;
    constexpr int kernels = 12, threads = 64;
    const test::Site site(scratch.path("site"), kernels);
    std::vector<std::vector<std::byte>> images;
    for (int kernel = 0; kernel < kernels; ++kernel)
        images.push_back(site.image(kernel));
    cache::CacheOptions options;
    options.directory = scratch.path("cache");
    options.memory_bytes = 30'000; // some fit: the others come from disk
    test::Site::Process one(options, base::real_file_system());
    // Another process's view of the same directory, in this one.
    test::Site::Process two(options, base::real_file_system());
    const int lookups = test::amount("KILN_FAULTS_LOOKUPS", 200, 10'000);
    std::atomic<std::uint64_t> right{0}, wrong{0}, errors{0}, memory{0}, disk{0}, compiled{0};
    std::vector<std::thread> crowd;
    for (int t = 0; t < threads; ++t) {
        crowd.emplace_back([&, t] {
            std::mt19937 random(static_cast<unsigned>(t));
            for (int i = 0; i < lookups; ++i) {
                try {
                    test::Site::Process& process = random() % 2 == 0 ? one : two;
                    const unsigned dice = random() % 4000;
                    if (dice == 0)
                        process.cache.clear();
                    else if (dice < 4)
                        process.cache.statistics();
                    else if (dice < 6)
                        process.cache.flush_counters();
                    const int kernel = static_cast<int>(random() % kernels);
                    const Cubin cubin = site.get(process, kernel);
                    ++(test::same_bytes(cubin, images[static_cast<std::size_t>(kernel)]) ? right
                                                                                         : wrong);
                    ++(cubin.tier == Tier::memory ? memory
                       : cubin.tier == Tier::disk ? disk
                                                  : compiled);
                } catch (...) {
                    ++errors;
                }
            }
        });
    }
    for (std::thread& thread : crowd)
        thread.join();
    CHECK(wrong == 0);
    CHECK(errors == 0);
    CHECK(right == static_cast<std::uint64_t>(threads) * static_cast<std::uint64_t>(lookups));
    CHECK(memory > 0);
    CHECK(disk > 0);
    CHECK(compiled >= kernels);
    const test::Inspection seen = test::inspect_directory(options.directory);
    for (const std::string& fault : seen.faults)
        FAIL_CHECK(fault);
    CHECK(seen.staging == 0);
    CHECK(seen.quarantined == 0);
    test::report("64 threads", {{"lookups", double(right)},
                                {"memory hits", double(memory)},
                                {"disk hits", double(disk)},
                                {"compiles", double(compiled)},
                                {"wrong results", double(wrong)}});
    MESSAGE(right.load() << " lookups: " << memory.load() << " memory, " << disk.load() << " disk, "
                         << compiled.load() << " compiled");
}

TEST_CASE("16 processes ask at once: one compile") {
    base::set_log_level("off");
    const int rounds = test::amount("KILN_FAULTS_FLIGHTS", 5, 200);
    for (int round = 0; round < rounds; ++round) {
        const test::Scratch scratch;
        const test::Site site(scratch.path("site"), 1);
        cache::CacheOptions options;
        options.directory = scratch.path("cache");
        CHECK(ask_at_once(site, options, 16, round % 2 == 0 ? 100 : 0, base::real_file_system()) ==
              16);
        CHECK(compiles_in(options) == 1);
    }
    test::report("16 processes at once",
                 {{"rounds", double(rounds)}, {"compiles", double(rounds)}});
}

TEST_CASE("16 processes on a file system without locks: right bytes, one entry") {
    base::set_log_level("off");
    class WithoutLocks final : public test::NthFault {
      public:
        using NthFault::NthFault;
        std::unique_ptr<Lock> lock(const Path&, int, std::error_code& error) override {
            error = std::make_error_code(std::errc::no_lock_available);
            return nullptr;
        }
    };
    const test::Scratch scratch;
    const test::Site site(scratch.path("site"), 1);
    cache::CacheOptions options;
    options.directory = scratch.path("cache");
    WithoutLocks files(options.directory);
    CHECK(ask_at_once(site, options, 16, 50, files) == 16);
    CHECK(compiles_in(options) > 1);
    const test::Inspection seen = test::inspect_directory(options.directory);
    CHECK(seen.faults.empty());
    CHECK(seen.entries == 1);
}

TEST_CASE("the owner of a compile is killed: another takes over") {
    base::set_log_level("off");
    double slowest = 0;
    const int rounds = test::amount("KILN_FAULTS_FLIGHTS", 5, 200);
    for (int round = 0; round < rounds; ++round) {
        const test::Scratch scratch;
        const test::Site site(scratch.path("site"), 1);
        cache::CacheOptions options;
        options.directory = scratch.path("cache");
        const auto ask = [&](int compile_ms) {
            const pid_t child = ::fork();
            REQUIRE(child >= 0);
            if (child == 0) {
                bool good = false;
                try {
                    test::Site::Process process(options, base::real_file_system());
                    good = test::same_bytes(site.get(process, 0, compile_ms), site.image(0));
                } catch (...) {
                    good = false;
                }
                ::_exit(good ? 0 : 1);
            }
            return child;
        };
        const pid_t owner = ask(60'000);
        // It has the lock once its file is there.
        const std::filesystem::path locks = options.directory / "v1/locks";
        const auto begin = Clock::now();
        while (!std::filesystem::exists(locks) || std::filesystem::is_empty(locks)) {
            REQUIRE(seconds_since(begin) < 20);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        std::vector<pid_t> waiting;
        for (int i = 0; i < 4; ++i)
            waiting.push_back(ask(0));
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        int status = 0;
        for (const pid_t child : waiting)
            CHECK(::waitpid(child, &status, WNOHANG) == 0); // they wait
        ::kill(owner, SIGKILL);
        const auto death = Clock::now();
        CHECK(::waitpid(owner, &status, 0) == owner);
        for (const pid_t child : waiting) {
            CHECK(::waitpid(child, &status, 0) == child);
            CHECK(status == 0);
        }
        slowest = std::max(slowest, seconds_since(death));
        CHECK(compiles_in(options) == 1);
    }
    CHECK(slowest < 2.0);
    test::report("takeover", {{"owners killed", double(rounds)}, {"slowest, s", slowest}});
    MESSAGE("takeover in " << slowest << " s at most");
}
