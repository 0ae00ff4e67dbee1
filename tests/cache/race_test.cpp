// SPDX-License-Identifier: Apache-2.0
#include "cache/project.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

using namespace kiln;
using namespace kiln::cache;

namespace {

/// Runs `work` in a child process; its exit status is 0 if `work` returns true.
template <typename Work>
pid_t child(Work work) {
    const pid_t pid = ::fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
        bool good = false;
        try {
            good = work();
        } catch (...) {
            good = false;
        }
        ::_exit(good ? 0 : 1);
    }
    return pid;
}

int status_of(pid_t pid) {
    int status = -1;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/// Looks, and compiles what is missing, as a service does.
Cubin get(Cache& cache, const test::Project& project, base::DigestCache& digests,
          std::atomic<int>* compiles = nullptr) {
    if (auto found = cache.find(project.request); found.hit)
        return *found.hit;
    const auto flight = cache.single_flight(project.request, 20'000);
    if (flight) {
        if (auto found = cache.find(project.request); found.hit)
            return *found.hit;
    }
    if (compiles)
        ++*compiles;
    base::FileSystem& files = base::real_file_system();
    const auto start = mark_compile_start(project.request, files);
    const std::vector<std::filesystem::path> opened{project.request.source};
    const auto collected = collect_inputs(opened, {}, project.request, start, files, digests);
    return cache.store(project.request, collected.inputs, test::metadata_90a(), test::image_90a());
}

} // namespace

TEST_CASE("two processes of eight threads store and look up at once") {
    const test::Scratch scratch;
    std::vector<std::unique_ptr<test::Project>> projects;
    for (int i = 0; i < 6; ++i) {
        projects.push_back(std::make_unique<test::Project>(scratch, "p" + std::to_string(i)));
        projects.back()->set("options", "-DN=" + std::to_string(i));
    }
    const auto work = [&] {
        base::DigestCache digests(base::real_file_system(), {});
        CacheOptions options;
        options.directory = scratch.path("cache");
        std::atomic<int> wrong{0};
        for (int round = 0; round < 3; ++round) {
            Cache cache(options, base::real_file_system(), digests);
            std::vector<std::thread> threads;
            for (int t = 0; t < 8; ++t) {
                threads.emplace_back([&, t] {
                    for (int i = 0; i < 24; ++i) {
                        const auto& project = *projects[static_cast<std::size_t>(i + t) % 6];
                        try {
                            if (!test::same_image(get(cache, project, digests)))
                                ++wrong;
                        } catch (...) {
                            ++wrong;
                        }
                    }
                });
            }
            for (std::thread& thread : threads)
                thread.join();
        }
        return wrong == 0;
    };
    const pid_t one = child(work);
    const pid_t two = child(work);
    CHECK(status_of(one) == 0);
    CHECK(status_of(two) == 0);

    test::Store store(scratch);
    const Statistics statistics = store.open().statistics();
    CHECK(statistics.entries == 6);
    CHECK(statistics.counters.compiles == 6);
    CHECK(statistics.counters.quarantined == 0);
    CHECK(store.get().list().size() == 6);
    for (const auto& file : test::files_below(store.directory))
        CHECK_FALSE(file.filename().string().starts_with(base::staging_prefix));
}

TEST_CASE("one flight among threads, with and without a directory") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store store(scratch);
    SUBCASE("with a directory") {}
    SUBCASE("without one") {
        store.options.directory.clear();
    }
    SUBCASE("where files cannot be locked") {
        store.files->faults["lock"] = ENOLCK;
    }
    Cache& cache = store.open();
    std::atomic<int> compiles{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&] { get(cache, project, *store.digests, &compiles); });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(compiles == 1);
}

TEST_CASE("a flight that cannot be had in time is not waited for longer") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store mine(scratch), other(scratch);
    auto held = other.get().single_flight(project.request, 1000);
    REQUIRE(held);
    const auto begin = std::chrono::steady_clock::now();
    CHECK(mine.get().single_flight(project.request, 50) == nullptr);
    CHECK(other.get().single_flight(project.request, 50) == nullptr); // a thread of its own
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
    held.reset();
    CHECK(mine.get().single_flight(project.request, 5000) != nullptr);
    CHECK(test::files_below(mine.directory / "v1/locks").empty());
}

TEST_CASE("another request is not held back") {
    const test::Scratch scratch;
    const test::Project one(scratch, "one");
    test::Project two(scratch, "two");
    two.set("options", "-DOTHER");
    test::Store store(scratch);
    const auto held = store.get().single_flight(one.request, 1000);
    REQUIRE(held);
    CHECK(store.get().single_flight(two.request, 1000));
}

TEST_CASE("a killed owner gives the flight back") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    const pid_t owner = child([&] {
        test::Store store(scratch);
        const auto held = store.get().single_flight(project.request, 1000);
        const char answer = held ? 'y' : 'n';
        if (::write(ready[1], &answer, 1) != 1)
            return false;
        for (;;)
            ::pause();
        return true;
    });
    char answer = 0;
    REQUIRE(::read(ready[0], &answer, 1) == 1);
    REQUIRE(answer == 'y');
    test::Store store(scratch);
    CHECK(store.get().single_flight(project.request, 50) == nullptr);
    ::kill(owner, SIGKILL);
    status_of(owner);
    CHECK(store.get().single_flight(project.request, 5000) != nullptr);
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST_CASE("two writers with different images: the first wins for both") {
    const test::Scratch scratch;
    const test::Project project(scratch);
    test::Store one(scratch), two(scratch);
    one.compile(project);
    Metadata metadata = test::metadata_90a();
    metadata.log = "another compile";
    two.open();
    const auto start = mark_compile_start(project.request, *two.files);
    const auto collected = project.collect(start, *two.files, *two.digests);
    std::vector<std::byte> image = test_data("add_one.cuda12.sm_90a.cubin");
    metadata.kernels = cubin::inspect(image).kernels;
    const Cubin second = two.cache->store(project.request, collected.inputs, metadata, image);
    CHECK(test::same_image(second)); // what `one` has stored
    CHECK(second.tier == Tier::compiled);
    CHECK(test::same_image(*two.find(project).hit));
    CHECK(one.open().list().front().metadata.label == "k{dtype=float}");
}
