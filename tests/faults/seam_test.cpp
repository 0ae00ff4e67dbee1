// SPDX-License-Identifier: Apache-2.0
// Every operation of the file system goes wrong in turn, in every way, until none is left.
#include "base/log.h"
#include "faults/figures.h"
#include "faults/nth_fault.h"
#include "faults/scenario.h"
#include "source/scratch.h"

#include <sys/wait.h>

#include <cerrno>

using namespace kiln;
using test::NthFault;

namespace {

constexpr int steps = 8; ///< cubins that a scenario asks for

cache::CacheOptions options_in(const std::filesystem::path& directory) {
    cache::CacheOptions options;
    options.directory = directory;
    return options;
}

/// What a process finds that comes after all this: right cubins, and a directory that serves again.
void check_recovers(const test::Site& site, const std::filesystem::path& directory,
                    bool staging_may_be_left) {
    const test::Inspection seen = test::inspect_directory(directory);
    for (const std::string& fault : seen.faults)
        FAIL_CHECK(fault);
    if (!staging_may_be_left)
        CHECK(seen.staging == 0);
    const cache::CacheOptions options = options_in(directory);
    for (const bool must_hit : {false, true}) {
        test::Site::Process next(options, base::real_file_system());
        for (int kernel = 0; kernel < 2; ++kernel) {
            const Cubin cubin = site.get(next, kernel);
            CHECK(test::same_bytes(cubin, site.image(kernel)));
            if (must_hit)
                CHECK(cubin.tier == Tier::disk);
        }
    }
}

struct Sum {
    std::uint64_t faults = 0, cubins = 0, refused = 0, wrong = 0;
};

/// Every N with this fault; returns once none is left.
void fail_each(NthFault::Kind kind, int number, bool strict, Sum& sum) {
    const std::uint64_t stride = test::long_form() ? 1 : 5;
    const std::uint64_t first = test::long_form() ? 0 : sum.faults % stride;
    for (std::uint64_t at = first;; at += stride) {
        const test::Scratch scratch;
        const test::Site site(scratch.path("site"), 2);
        cache::CacheOptions options = options_in(scratch.path("cache"));
        options.strict = strict;
        NthFault files(options.directory);
        files.kind = kind;
        files.at = at;
        files.number = number;
        const test::Outcome outcome = test::play(site, options, files);
        CAPTURE(at);
        CAPTURE(number);
        CAPTURE(strict);
        CHECK(outcome.wrong == 0);
        CHECK(outcome.other == "");
        if (strict)
            CHECK(outcome.right + outcome.unavailable >= steps - 1);
        else
            CHECK(outcome.right == steps);
        if (!strict)
            CHECK(outcome.unavailable == 0);
        // A remove that fails leaves its file for the sweep.
        check_recovers(site, options.directory, true);
        sum.wrong += static_cast<std::uint64_t>(outcome.wrong);
        sum.cubins += static_cast<std::uint64_t>(outcome.right);
        sum.refused += static_cast<std::uint64_t>(outcome.unavailable);
        if (!files.happened())
            return;
        ++sum.faults;
    }
}

} // namespace

TEST_CASE("a scenario without a fault asks for eight cubins, and needs some operations") {
    base::set_log_level("off");
    const test::Scratch scratch;
    const test::Site site(scratch.path("site"), 2);
    const cache::CacheOptions options = options_in(scratch.path("cache"));
    NthFault files(options.directory);
    const test::Outcome outcome = test::play(site, options, files);
    CHECK(outcome.right == steps);
    CHECK(outcome.other == "");
    CHECK(files.operations() > 100);
    check_recovers(site, options.directory, false);
}

TEST_CASE("every operation fails in turn") {
    base::set_log_level("off");
    Sum sum;
    std::vector<int> numbers{ENOSPC, EIO, EPERM};
    if (test::long_form())
        numbers = {ENOSPC, EIO,   EACCES, EMFILE, EINTR,  EPERM,     EROFS,
                   EDQUOT, EXDEV, ENOLCK, ESTALE, EMLINK, ETIMEDOUT, ENOENT};
    for (const int number : numbers) {
        for (const bool strict : {false, true})
            fail_each(NthFault::Kind::fails, number, strict, sum);
    }
    fail_each(NthFault::Kind::fails_from_now, ENOSPC, false, sum);
    fail_each(NthFault::Kind::answer_lost, EIO, false, sum);
    if (test::long_form()) {
        for (const int number : {EIO, EACCES, EMFILE, EROFS})
            fail_each(NthFault::Kind::fails_from_now, number, false, sum);
        fail_each(NthFault::Kind::fails_from_now, EIO, true, sum);
        fail_each(NthFault::Kind::answer_lost, EEXIST, false, sum);
    }
    CHECK(sum.refused > 0);
    test::report("operations that fail", {{"faults", double(sum.faults)},
                                          {"cubins", double(sum.cubins)},
                                          {"refused in strict mode", double(sum.refused)},
                                          {"wrong results", double(sum.wrong)}});
    MESSAGE(sum.faults << " faults, " << sum.cubins << " cubins, " << sum.refused << " refused");
}

TEST_CASE("a process dies at every operation in turn") {
    base::set_log_level("off");
    std::uint64_t deaths = 0, torn = 0;
    for (const auto kind :
         {NthFault::Kind::dies_before, NthFault::Kind::dies_within, NthFault::Kind::dies_after}) {
        for (std::uint64_t at = 0;; at += test::long_form() ? 1 : 5) {
            const test::Scratch scratch;
            const test::Site site(scratch.path("site"), 2);
            const cache::CacheOptions options = options_in(scratch.path("cache"));
            const pid_t child = ::fork();
            REQUIRE(child >= 0);
            if (child == 0) {
                NthFault files(options.directory);
                files.kind = kind;
                files.at = at;
                const test::Outcome outcome = test::play(site, options, files);
                ::_exit(outcome.right == steps ? 0 : 1);
            }
            int status = -1;
            REQUIRE(::waitpid(child, &status, 0) == child);
            REQUIRE(WIFEXITED(status));
            CAPTURE(at);
            torn += static_cast<std::uint64_t>(test::inspect_directory(options.directory).staging);
            check_recovers(site, options.directory, true);
            if (WEXITSTATUS(status) != 42) {
                CHECK(WEXITSTATUS(status) == 0);
                break;
            }
            ++deaths;
        }
    }
    CHECK(deaths > 50);
    CHECK(torn > 0); // something was in the making
    test::report(
        "deaths at an operation",
        {{"deaths", double(deaths)}, {"staging files left", double(torn)}, {"wrong results", 0}});
    MESSAGE(deaths << " deaths, " << torn << " staging files left");
}
