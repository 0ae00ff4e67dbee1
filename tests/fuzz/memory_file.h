// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/fuzz_input.h"

#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>

/// A file that only this process sees, for loaders that take a path.
class MemoryFile {
  public:
    MemoryFile() : file_(memfd_create("input.yaml", MFD_CLOEXEC)) {
        promise(file_ >= 0, "a file in memory");
    }
    ~MemoryFile() { close(file_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    void write(std::string_view text) {
        promise(ftruncate(file_, 0) == 0, "an empty file");
        promise(pwrite(file_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()),
                "a written file");
    }
    std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(file_); }

  private:
    int file_;
};
