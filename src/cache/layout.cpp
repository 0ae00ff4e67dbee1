// SPDX-License-Identifier: Apache-2.0
#include "cache/layout.h"

#include <kiln/error.h>

#include <algorithm>

namespace kiln::cache {

Layout::Layout(const Path& directory) : base_(directory.empty() ? Path{} : directory / "v1") {}

Layout::Path Layout::fanned(std::string_view folder, const base::Digest& digest) const {
    const std::string name = digest.hex();
    // By text: a path put together from parts is parsed at each step, and this is part of a hit.
    std::string path = base_.native();
    path.append(1, '/').append(folder).append(1, '/').append(name, 0, 2).append(1, '/');
    return path.append(name);
}

Layout::Path Layout::entry(const base::Digest& key, const Target& target) const {
    return fanned(target.str(), key).native() + std::string(entry_extension);
}

bool is_hex(std::string_view text, std::size_t length) noexcept {
    return text.size() == length && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

bool is_target_folder(std::string_view name) noexcept {
    try {
        return name.starts_with("sm_") && Target::parse(name).str() == name;
    } catch (const Error&) {
        return false;
    }
}

bool is_entry_name(std::string_view name) noexcept {
    return name.ends_with(entry_extension) &&
           is_hex(name.substr(0, name.size() - entry_extension.size()), 64);
}

} // namespace kiln::cache
