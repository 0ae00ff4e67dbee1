// SPDX-License-Identifier: Apache-2.0
// Eight processes ask, touch, delete and clear in one directory and are killed at random moments.
#include "base/log.h"
#include "faults/figures.h"
#include "faults/site.h"
#include "source/scratch.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

using namespace kiln;

namespace {

namespace fs = std::filesystem;
constexpr int processes = 8;
constexpr int kernels = 5;

/// What the children count, in memory that they share with their parent.
struct Tally {
    std::atomic<std::uint64_t> right{0}, wrong{0}, errors{0}, removed{0}, cleared{0};
};

Tally& shared_tally() {
    void* memory =
        ::mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    return *new (memory) Tally;
}

/// What makes room: any one file of the layout, as an eviction or an impatient person deletes it.
void remove_one(const fs::path& directory, std::mt19937& random, Tally& tally) {
    std::vector<fs::path> found;
    std::error_code error;
    fs::recursive_directory_iterator walk(directory / "v1", error);
    while (!error && walk != fs::recursive_directory_iterator()) {
        if (walk->is_regular_file(error))
            found.push_back(walk->path());
        walk.increment(error);
    }
    if (!found.empty() && fs::remove(found[random() % found.size()], error))
        ++tally.removed;
}

/// Works until it is killed.
[[noreturn]] void work(const test::Site& site, const cache::CacheOptions& options, unsigned seed,
                       Tally& tally) {
    std::mt19937 random(seed);
    for (;;) {
        try {
            test::Site::Process process(options, base::real_file_system());
            for (int i = 0; i < 12; ++i) {
                const unsigned dice = random() % 100;
                const int kernel = static_cast<int>(random() % kernels);
                if (dice < 3) {
                    process.cache.clear();
                    ++tally.cleared;
                } else if (dice < 12) {
                    remove_one(options.directory, random, tally);
                } else if (dice < 16) {
                    process.cache.list();
                } else if (dice < 20) {
                    ::utimensat(AT_FDCWD, site.source(kernel).c_str(), nullptr, 0);
                } else {
                    const bool good =
                        test::same_bytes(site.get(process, kernel, static_cast<int>(random() % 3)),
                                         site.image(kernel));
                    ++(good ? tally.right : tally.wrong);
                }
            }
        } catch (...) {
            ++tally.errors;
        }
    }
}

} // namespace

TEST_CASE("processes are killed at random moments: no wrong cubin, and a directory that is whole") {
    base::set_log_level("off");
    const test::Scratch scratch;
    const test::Site site(scratch.path("site"), kernels);
    cache::CacheOptions options;
    options.directory = scratch.path("cache");
    Tally& tally = shared_tally();
    const int rounds = test::amount("KILN_FAULTS_ROUNDS", 20, 1000);
    const unsigned seed = static_cast<unsigned>(test::amount("KILN_FAULTS_SEED", 1, 1));
    std::mt19937 random(seed);
    std::uint64_t kills = 0, staging = 0;
    double slowest = 0;

    for (int round = 0; round < rounds; ++round) {
        std::vector<pid_t> children;
        for (int i = 0; i < processes; ++i) {
            const unsigned own = random();
            const pid_t child = ::fork();
            REQUIRE(child >= 0);
            if (child == 0)
                work(site, options, own, tally);
            children.push_back(child);
        }
        for (const pid_t child : children) {
            std::this_thread::sleep_for(std::chrono::microseconds(500 + random() % 20'000));
            ::kill(child, SIGKILL);
        }
        for (const pid_t child : children) {
            int status = 0;
            REQUIRE(::waitpid(child, &status, 0) == child);
            REQUIRE(WIFSIGNALED(status));
            CHECK(WTERMSIG(status) == SIGKILL);
            ++kills;
        }
        // All are dead: what they left is what a newcomer finds.
        CAPTURE(round);
        CAPTURE(seed);
        const test::Inspection seen = test::inspect_directory(options.directory);
        for (const std::string& fault : seen.faults)
            FAIL_CHECK(fault);
        staging += static_cast<std::uint64_t>(seen.staging);
        CHECK(seen.quarantined == 0);
        const auto begin = std::chrono::steady_clock::now();
        test::Site::Process process(options, base::real_file_system());
        for (int kernel = 0; kernel < kernels; ++kernel)
            CHECK(test::same_bytes(site.get(process, kernel), site.image(kernel)));
        slowest = std::max(
            slowest,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        if (round % 10 == 9) {
            for (const auto& file : fs::recursive_directory_iterator(options.directory / "v1")) {
                if (file.path().filename().string().starts_with(base::staging_prefix))
                    fs::remove(file.path());
            }
        }
    }
    CHECK(tally.wrong == 0);
    CHECK(tally.errors == 0);
    CHECK(tally.right > static_cast<std::uint64_t>(rounds) * 5);
    CHECK(tally.removed > 0);
    test::report("kill rounds", {{"rounds", double(rounds)},
                                 {"processes killed", double(kills)},
                                 {"cubins", double(tally.right)},
                                 {"files removed", double(tally.removed)},
                                 {"clears", double(tally.cleared)},
                                 {"staging files seen", double(staging)},
                                 {"slowest recovery of all kernels, s", slowest},
                                 {"wrong results", double(tally.wrong)}});
    MESSAGE(rounds << " rounds, " << kills << " kills, " << tally.right << " cubins, "
                   << tally.removed << " files removed, " << staging << " staging files, slowest "
                   << slowest << " s");
}
