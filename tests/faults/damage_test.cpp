// SPDX-License-Identifier: Apache-2.0
// Any damage to any file of the cache: the right kernel, the damaged file moved aside and counted.
#include "base/log.h"
#include "faults/figures.h"
#include "faults/site.h"
#include "source/scratch.h"

#include <functional>

using namespace kiln;

namespace {

namespace fs = std::filesystem;

/// A cache of two kernels, and one file of it that is damaged again and again.
struct Patient {
    test::Scratch scratch;
    test::Site site{scratch.path("site"), 2};
    cache::CacheOptions options;
    int damages = 0;

    Patient() {
        base::set_log_level("off");
        options.directory = scratch.path("cache");
        test::Site::Process process(options, base::real_file_system());
        for (int kernel = 0; kernel < 2; ++kernel)
            site.get(process, kernel);
    }
    fs::path base() const { return options.directory / "v1"; }
    /// The file of kernel 0 (or 1) in a folder: known by asking for that kernel alone.
    fs::path file_in(const std::string& folder, int kernel) const {
        const test::Scratch other;
        cache::CacheOptions alone = options;
        alone.directory = other.path("cache");
        test::Site::Process process(alone, base::real_file_system());
        site.get(process, kernel);
        for (const auto& file : fs::recursive_directory_iterator(alone.directory / "v1" / folder)) {
            if (file.is_regular_file())
                return options.directory / file.path().lexically_relative(alone.directory);
        }
        return {};
    }
    std::ptrdiff_t in_quarantine() const {
        return fs::exists(base() / "quarantine")
                   ? std::distance(fs::directory_iterator(base() / "quarantine"), {})
                   : 0;
    }

    /// A process that finds the file so. `reason` is what the miss must say. The compile that heals
    /// it is left out: `whole` is put back, but for one damage in some.
    void check(const fs::path& file, const std::string& whole, const std::string& damaged,
               const std::string& reason) {
        test::put_text(file, damaged);
        if (in_quarantine() > 90)
            fs::remove_all(base() / "quarantine");
        const std::ptrdiff_t before = in_quarantine();
        test::Site::Process process(options, base::real_file_system());
        const auto found = process.cache.find(site.request(0));
        bool good = !found.hit && found.miss_reason == reason;
        good = good && process.cache.statistics().counters.quarantined ==
                           static_cast<std::uint64_t>(damages) + 1;
        good = good && !fs::exists(file) && in_quarantine() == before + 1;
        ++damages;
        if (good && damages % 97 == 0) {
            good = test::same_bytes(site.get(process, 0), site.image(0));
            test::Site::Process next(options, base::real_file_system());
            const auto healed = next.cache.find(site.request(0));
            good = good && healed.hit && test::same_bytes(*healed.hit, site.image(0));
        } else {
            test::put_text(file, whole);
        }
        if (!good)
            FAIL_CHECK("damage " << damages << " of " << file << ": " << found.miss_reason);
    }

    /// Every byte flipped, then every length.
    void check_all(const fs::path& file, const std::string& reason, std::size_t stride) {
        const std::string original = test::text_of(file);
        REQUIRE_FALSE(original.empty());
        for (std::size_t i = 0; i < original.size(); i += stride) {
            const std::string whole = test::text_of(file);
            const std::size_t place = std::min(i, whole.size() - 1);
            std::string damaged = whole;
            damaged[place] = static_cast<char>(damaged[place] ^ (1 << (i % 8)));
            check(file, whole, damaged, reason);
            check(file, test::text_of(file), whole.substr(0, place), reason);
        }
        const std::string whole = test::text_of(file);
        check(file, whole, whole + '\0', reason);
        check(file, whole, "#!/bin/sh\nexit 1\n", reason);
        check(file, whole, std::string(whole.size(), '\0'), reason);
        // The version stands before the last 8 bytes, and no checksum covers it.
        for (const char version : {0, 2, 127}) {
            std::string other = whole;
            other[other.size() - 12] = version;
            check(file, whole, other, reason);
        }
    }
};

std::size_t stride() {
    return test::long_form() ? 1 : 11;
}

} // namespace

TEST_CASE("an entry: every byte, every length, foreign contents, another version") {
    Patient patient;
    const fs::path file = patient.file_in("sm_90a", 0);
    patient.check_all(file, "the entry was damaged", stride());
    SUBCASE("an entry of another key, renamed into place") {
        const std::string other = test::text_of(patient.file_in("sm_90a", 1));
        patient.check(file, test::text_of(file), other, "the entry was damaged");
    }
    test::report("damage to an entry",
                 {{"damages", double(patient.damages)}, {"wrong results", 0}});
}

TEST_CASE("a manifest: every byte, every length, foreign contents, another version") {
    Patient patient;
    const fs::path file = patient.file_in("manifests", 0);
    patient.check_all(file, "the manifest was damaged", 1);
    SUBCASE("a manifest of another request") {
        const std::string other = test::text_of(patient.file_in("manifests", 1));
        patient.check(file, test::text_of(file), other, "the manifest was damaged");
    }
    test::report("damage to a manifest",
                 {{"damages", double(patient.damages)}, {"wrong results", 0}});
}

TEST_CASE("a record of what was last asked for: every byte, every length") {
    Patient patient;
    const fs::path file = patient.file_in("latest", 0);
    fs::remove(patient.file_in("manifests", 0)); // so that the record is asked
    const std::string whole = test::text_of(file);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(~damaged[i]);
        patient.check(file, whole, damaged, "never seen");
        fs::remove(patient.file_in("manifests", 0));
        test::put_text(file, whole);
        patient.check(file, whole, whole.substr(0, i), "never seen");
        fs::remove(patient.file_in("manifests", 0));
        test::put_text(file, whole);
    }
    const std::string other = test::text_of(patient.file_in("latest", 1));
    patient.check(file, whole, other, "never seen");
    test::report("damage to a record",
                 {{"damages", double(patient.damages)}, {"wrong results", 0}});
}

TEST_CASE("counts: no damage to them costs a kernel or a call") {
    Patient patient;
    const fs::path folder = patient.base() / "counters";
    const fs::path file = fs::directory_iterator(folder)->path();
    const std::string whole = test::text_of(file);
    int damages = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (const std::string& text : {whole.substr(0, i), whole.substr(0, i) + '\xff',
                                        whole.substr(0, i) + std::string(5000, '9')}) {
            test::put_text(file, text);
            test::Site::Process process(patient.options, base::real_file_system());
            CHECK_NOTHROW(process.cache.statistics());
            CHECK(process.cache.find(patient.site.request(0)).hit);
            ++damages;
        }
    }
    CHECK(damages > 20);
}
