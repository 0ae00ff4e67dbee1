// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace kiln::base {

/// A private directory (0700), removed with all it holds when the object goes. Movable.
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
};

} // namespace kiln::base
