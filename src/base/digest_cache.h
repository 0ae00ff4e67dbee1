// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest.h"
#include "base/file_system.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace kiln::base {

/// Content digests of files, remembered by stamp: in memory, and under a directory shared by all
/// processes of the user. A racing write is never trusted: only settled stamps are remembered.
/// Thread-safe; a store that fails costs a read the next time and nothing else.
class DigestCache {
  public:
    /// `directory` may be empty: memory only.
    DigestCache(FileSystem& files, std::filesystem::path directory);
    ~DigestCache();

    struct Entry {
        FileStamp stamp;
        Digest digest;
        bool settled = false; ///< the stamp stands for the contents from now on
    };
    /// Stats, and reads only what is not remembered. Nothing where the file is absent or
    /// unreadable. `persist`: also remember on disk (worth it for files of a megabyte and more).
    std::optional<Entry> digest(const std::filesystem::path& path, bool persist = false);
    /// Remembers what the caller has just read.
    void remember(const FileStamp& stamp, const Digest& digest);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace kiln::base
