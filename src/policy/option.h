// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml.h"
#include "policy/options.h"

#include <string>
#include <string_view>
#include <vector>

namespace kiln::policy {

/// One define, option or include directory, with what the table says of it for each backend.
struct Option {
    std::string written; ///< `-DN=1`, `-lineinfo`, `-I@csrc/fmha`
    std::string origin;  ///< file:line
    Translation nvrtc;
    Translation nvcc;
    OptionSubject subject;
    std::string root; ///< the name of an include directory; empty for any other option
    /// It holds `${...}`, which a resolve replaces; the translations are those of a sample value.
    bool is_template = false;

    Option(std::string text, std::string place);
    /// `-Ipath`. Includes are for the search path of a compile; the flag shows them.
    static Option include(std::string name, const std::string& path, std::string place);

    const Translation& for_backend(Backend backend) const noexcept {
        return backend == Backend::nvrtc ? nvrtc : nvcc;
    }
    /// Why no backend takes it, or nothing.
    const std::string* refusal() const noexcept;

  private:
    Option() = default;
};

/// Reads `defines:`, a map. Throws Error(policy) with the location, as the others do.
void read_defines(const base::YamlNode& node, std::vector<Option>& options);
/// Reads `undefines:`, a list of names.
void read_undefines(const base::YamlNode& node, std::vector<Option>& options);
/// Reads `options:`, a list.
void read_options(const base::YamlNode& node, std::vector<Option>& options);
/// Reads `include:`, a map of names to directories; relative ones are relative to the file, and
/// `@root/sub` stands for a directory below another root.
void read_includes(const base::YamlNode& node, std::vector<Option>& options);
/// An option at a node, which is refused where no backend takes it.
Option checked_option(const base::YamlNode& node, std::string text);

} // namespace kiln::policy
