// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/temporary_directory.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::test {

/// A fresh directory with files made at will.
class Scratch {
  public:
    std::filesystem::path path(std::string_view relative = {}) const {
        return relative.empty() ? root() : root() / relative;
    }
    std::filesystem::path write(std::string_view relative, std::string_view text) const {
        const std::filesystem::path file = path(relative);
        std::filesystem::create_directories(file.parent_path());
        std::ofstream stream(file, std::ios::binary);
        stream << text;
        stream.close();
        REQUIRE_MESSAGE(stream, file.string() << " cannot be written");
        return file;
    }
    /// Sets the mtime so many seconds back; the ctime becomes now.
    void touch(std::string_view relative, int seconds_ago) const {
        const timespec when{std::time(nullptr) - seconds_ago, 0};
        const timespec times[2] = {when, when};
        REQUIRE(::utimensat(AT_FDCWD, path(relative).c_str(), times, 0) == 0);
    }

  private:
    std::filesystem::path root() const { return std::filesystem::canonical(directory_.path()); }
    base::TemporaryDirectory directory_{"kiln-test-"};
};

inline bool has(const std::vector<std::filesystem::path>& paths,
                const std::filesystem::path& path) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
}

} // namespace kiln::test
