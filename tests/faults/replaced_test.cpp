// SPDX-License-Identifier: Apache-2.0
// Files are replaced, truncated and renamed while they are read.
#include "base/log.h"
#include "faults/figures.h"
#include "faults/site.h"
#include "source/scratch.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

using namespace kiln;

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Does what it can to the files of a cache, in place and by rename, until it is killed.
[[noreturn]] void vandalise(const fs::path& base, unsigned seed) {
    std::mt19937 random(seed);
    for (;;) {
        try {
            std::vector<fs::path> found;
            std::error_code error;
            for (const char* folder : {"sm_90a", "manifests", "latest"}) {
                fs::recursive_directory_iterator walk(base / folder, error);
                while (!error && walk != fs::recursive_directory_iterator()) {
                    if (walk->is_regular_file(error))
                        found.push_back(walk->path());
                    walk.increment(error);
                }
            }
            if (found.empty())
                continue;
            const fs::path& victim = found[random() % found.size()];
            const std::string text = test::text_of(victim);
            switch (random() % 7) {
            case 0:
                fs::resize_file(victim, text.size() / 2, error);
                break;
            case 1:
                fs::resize_file(victim, 0, error);
                break;
            case 2:
                fs::resize_file(victim, text.size() + 100'000, error);
                break;
            case 3: // in place, under who reads
                if (const int file = ::open(victim.c_str(), O_WRONLY); file >= 0) {
                    for (int i = 0; i < 8 && !text.empty(); ++i) {
                        const auto byte = static_cast<unsigned char>(random());
                        (void)!::pwrite(file, &byte, 1, static_cast<off_t>(random() % text.size()));
                    }
                    ::close(file);
                }
                break;
            case 4: // another's contents under this name
                test::replace_text(victim, test::text_of(found[random() % found.size()]));
                break;
            case 5:
                fs::rename(victim, found[random() % found.size()], error);
                break;
            default:
                fs::remove(victim, error);
                break;
            }
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 400));
        } catch (const std::exception&) {
            // Somebody was faster.
        }
    }
}

/// Calls `work` until the time is over.
template <class Work>
void repeat_for(std::chrono::milliseconds time, Work work) {
    for (const auto end = Clock::now() + time; Clock::now() < end;)
        work();
}

} // namespace

TEST_CASE("a cache that is vandalised while it is read gives the right bytes") {
    base::set_log_level("off");
    const test::Scratch scratch;
    const test::Site site(scratch.path("site"), 3);
    cache::CacheOptions options;
    options.directory = scratch.path("cache");
    std::vector<pid_t> vandals;
    for (unsigned seed = 1; seed <= 2; ++seed) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0)
            vandalise(options.directory / "v1", seed);
        vandals.push_back(child);
    }
    std::atomic<std::uint64_t> right{0}, wrong{0}, errors{0}, hits{0}, damaged{0};
    std::vector<std::thread> readers;
    const std::chrono::milliseconds time(test::amount("KILN_FAULTS_MS", 3000, 120'000));
    for (int t = 0; t < 3; ++t) {
        readers.emplace_back([&, t] {
            repeat_for(time, [&, kernel = t] {
                try {
                    test::Site::Process process(options, base::real_file_system());
                    const Cubin cubin = site.get(process, kernel, 0, 100);
                    ++(test::same_bytes(cubin, site.image(kernel)) ? right : wrong);
                    hits += cubin.tier == Tier::disk;
                    damaged += process.cache.statistics().counters.quarantined > 0;
                } catch (...) {
                    ++errors;
                }
            });
        });
    }
    for (std::thread& reader : readers)
        reader.join();
    for (const pid_t vandal : vandals) {
        ::kill(vandal, SIGKILL);
        ::waitpid(vandal, nullptr, 0);
    }
    CHECK(wrong == 0);
    CHECK(errors == 0);
    CHECK(right > 100);
    CHECK(hits > 0);
    CHECK(damaged > 0);
    test::report(
        "vandalised while read",
        {{"cubins", double(right)}, {"disk hits", double(hits)}, {"wrong results", double(wrong)}});
    MESSAGE(right.load() << " cubins, " << hits.load() << " from disk");
}

TEST_CASE("a header that is edited all the time: a cubin is of what it was during the call") {
    base::set_log_level("off");
    const test::Scratch scratch;
    const test::Site site(scratch.path("site"), 2);
    cache::CacheOptions options;
    options.directory = scratch.path("cache");
    const auto version = [](int number) {
        // Three contents of one length come again and again: every one has an entry soon.
        return "int shared; // " + std::to_string(number % 3) + "\n";
    };
    std::atomic<int> written{0}; ///< the version that is surely on disk
    std::atomic<int> begun{0};   ///< the version that may be
    std::atomic<bool> stop{false};
    test::replace_text(site.header(), version(0));
    std::thread editor([&] {
        std::mt19937 random(7);
        while (!stop) {
            const int next = ++begun;
            if (random() % 2 == 0)
                test::replace_text(site.header(), version(next));
            else // in place: some call may see an empty file
                test::put_text(site.header(), version(next));
            written = next;
            std::this_thread::sleep_for(std::chrono::milliseconds(random() % 30));
        }
    });
    std::uint64_t right = 0, wrong = 0, hits = 0;
    const std::string source = test::text_of(site.source(0));
    test::Site::Process process(options, base::real_file_system());
    repeat_for(std::chrono::milliseconds(test::amount("KILN_FAULTS_MS", 3000, 120'000)), [&] {
        const int first = written;
        const Cubin cubin = site.get(process, 0);
        const int last = begun;
        bool good = test::same_bytes(cubin, test::Site::image_of(source, ""));
        for (int number = first; number <= last; ++number)
            good = good || test::same_bytes(cubin, test::Site::image_of(source, version(number)));
        ++(good ? right : wrong);
        hits += cubin.tier != Tier::compiled;
    });
    stop = true;
    editor.join();
    CHECK(wrong == 0);
    CHECK(right > 100);
    CHECK(hits > 0);
    test::report("edited while asked for", {{"edits", double(written)},
                                            {"cubins", double(right)},
                                            {"hits", double(hits)},
                                            {"wrong results", double(wrong)}});
    MESSAGE(written.load() << " edits, " << right << " cubins, " << hits << " hits");
}
