// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest.h"
#include "base/file_system.h"

#include <filesystem>
#include <optional>

namespace kiln::base {

/// The disk part of the digest cache; the format is written down there. Failures and damage count
/// as absence. Safe from many threads and processes.
class DigestStore {
  public:
    DigestStore(FileSystem& files, std::filesystem::path directory);

    std::optional<Digest> load(const FileStamp& stamp) const;
    void save(const FileStamp& stamp, const Digest& digest) const;

  private:
    std::filesystem::path file_of(const FileStamp& stamp) const;

    FileSystem& files_;
    std::filesystem::path directory_;
};

} // namespace kiln::base
