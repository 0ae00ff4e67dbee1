// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace kiln::base {

/// A private directory (0700), removed with all it holds when the object goes (in the process that
/// made it: a forked child's copy removes nothing). Movable.
class TemporaryDirectory {
  public:
    /// Under `parent`, or `$TMPDIR`, or `/tmp`; named `<prefix>XXXXXX`. Throws Error(io).
    explicit TemporaryDirectory(const char* prefix = "kiln-",
                                const std::filesystem::path& parent = {});
    TemporaryDirectory(TemporaryDirectory&& other) noexcept;
    TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept;
    ~TemporaryDirectory();

    const std::filesystem::path& path() const noexcept { return path_; }

  private:
    void remove() noexcept;
    std::filesystem::path path_;
    int owner_ = 0; // pid
};

} // namespace kiln::base
