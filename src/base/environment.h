// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::base {

/// A copy of environment variables. A value: what a part of Kiln may read is handed to it, so
/// nothing depends on the process's environment at a distance.
class Environment {
  public:
    Environment() = default;
    explicit Environment(std::map<std::string, std::string, std::less<>> variables);
    /// A copy of this process's variables. Not safe while another thread calls setenv.
    static Environment of_process();

    /// Empty values count as unset.
    std::optional<std::string> get(std::string_view name) const;
    void set(std::string name, std::string value);
    void unset(std::string_view name);
    /// `NAME=value` lines in the order of names, for a child process.
    std::vector<std::string> lines() const;
    const std::map<std::string, std::string, std::less<>>& variables() const noexcept;

  private:
    std::map<std::string, std::string, std::less<>> variables_;
};

} // namespace kiln::base
