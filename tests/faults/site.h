// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest_cache.h"
#include "base/file_system.h"
#include "cache/cache.h"

#include <kiln/cubin.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::test {

/// Sources of some kernels below a directory, and a compiler whose image says which contents it was
/// made of: a wrong or stale cubin is known by its bytes. Uses no test macro, so that it can work
/// in a child process. Not thread-safe where sources are written, else thread-safe.
class Site {
  public:
    using Path = std::filesystem::path;
    /// Writes the sources anew unless they are there.
    Site(Path root, int kernels);

    int kernels() const noexcept { return kernels_; }
    Path header() const { return root_ / "src/shared.h"; }
    Path source(int kernel) const;
    cache::Request request(int kernel) const;

    /// What a compile of these contents makes.
    static std::vector<std::byte> image_of(const std::string& source, const std::string& header);
    /// Of what is on disk now.
    std::vector<std::byte> image(int kernel) const;

    /// One process's view of a cache.
    struct Process {
        Process(const cache::CacheOptions& options, base::FileSystem& file_system)
            : files(file_system), digests(file_system, {}), cache(options, file_system, digests) {}
        base::FileSystem& files;
        base::DigestCache digests;
        cache::Cache cache;
    };
    /// What a service does: looks, and where there is nothing compiles once for everybody.
    /// `compile_ms`: how long a compile takes at least. `wait_ms`: for another's compile.
    Cubin get(Process& process, int kernel, int compile_ms = 0, int wait_ms = 20'000) const;

  private:
    Path root_;
    int kernels_;
};

bool same_bytes(const Cubin& cubin, const std::vector<std::byte>& image);
std::string text_of(const std::filesystem::path& path);
void put_text(const std::filesystem::path& path, const std::string& text);
/// A name beside it, then renamed: readers see the old or the new.
void replace_text(const std::filesystem::path& path, const std::string& text);

/// Ends a file that a test damaged on purpose.
inline constexpr std::string_view damage_mark = "damaged on purpose";

/// What lies in a cache's directory, but for what was damaged on purpose, judged by today's
/// readers.
struct Inspection {
    std::vector<std::string> faults; ///< a line for each published file that is not whole
    int entries = 0, manifests = 0, records = 0, staging = 0, quarantined = 0;
};
Inspection inspect_directory(const std::filesystem::path& directory);

} // namespace kiln::test
