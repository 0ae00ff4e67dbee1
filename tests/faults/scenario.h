// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faults/site.h"

#include <kiln/error.h>

#include <fcntl.h>
#include <sys/stat.h>

namespace kiln::test {

/// What became of a scenario.
struct Outcome {
    int right = 0;       ///< cubins with the bytes of their sources
    int wrong = 0;       ///< cubins with other bytes
    int unavailable = 0; ///< Error(cache_unavailable)
    std::string other;   ///< any other exception
};

/// All that a cache does in its life, each step as in a process of its own: a cold request, hits
/// from disk and memory, a hit after a touch, a second request, a damaged entry and a damaged
/// manifest, listing, clearing, and a request after that.
inline Outcome play(const Site& site, const cache::CacheOptions& options, base::FileSystem& files) {
    Outcome outcome;
    const auto step = [&](auto work) {
        try {
            Site::Process process(options, files);
            work(process);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cache_unavailable)
                ++outcome.unavailable;
            else
                outcome.other = error.message();
        } catch (const std::exception& error) {
            outcome.other = error.what();
        }
    };
    const auto get = [&](Site::Process& process, int kernel) {
        // A lock that is said to be held is not waited for: the compile is this one's.
        const Cubin cubin = site.get(process, kernel, 0, 200);
        ++(same_bytes(cubin, site.image(kernel)) ? outcome.right : outcome.wrong);
    };
    const auto damage = [&](const char* folder) {
        for (const auto& file : std::filesystem::recursive_directory_iterator(
                 options.directory / "v1" / folder,
                 std::filesystem::directory_options::skip_permission_denied)) {
            if (!file.is_regular_file())
                continue;
            replace_text(file.path(), text_of(file.path()) + std::string(damage_mark));
        }
    };
    const auto damage_if_there = [&](const char* folder) {
        if (std::filesystem::exists(options.directory / "v1" / folder))
            damage(folder);
    };

    step([&](Site::Process& process) { get(process, 0); });
    step([&](Site::Process& process) {
        get(process, 0);
        get(process, 0);
    });
    const timespec back[2] = {{1'700'000'000, 0}, {1'700'000'000, 0}};
    ::utimensat(AT_FDCWD, site.header().c_str(), back, 0);
    step([&](Site::Process& process) { get(process, 0); });
    step([&](Site::Process& process) { get(process, 1); });
    damage_if_there("sm_90a");
    step([&](Site::Process& process) { get(process, 0); });
    damage_if_there("manifests");
    step([&](Site::Process& process) { get(process, 1); });
    step([&](Site::Process& process) {
        process.cache.list();
        process.cache.statistics();
        process.cache.clear();
        get(process, 0);
    });
    return outcome;
}

} // namespace kiln::test
