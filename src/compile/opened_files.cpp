// SPDX-License-Identifier: Apache-2.0
#include "compile/opened_files.h"

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <unordered_map>
#include <unordered_set>

namespace kiln::compile {

namespace {

namespace fs = std::filesystem;

class PathList {
  public:
    void add(std::string_view path) {
        if (seen_.emplace(path).second) {
            auto clean = normalised(fs::path(path));
            if (kept_.insert(clean.native()).second)
                paths_.push_back(std::move(clean));
        }
    }
    std::vector<fs::path> take() { return std::move(paths_); }

  private:
    std::unordered_set<std::string> seen_;
    std::unordered_set<std::string> kept_;
    std::vector<fs::path> paths_;
};

// Names that NVRTC makes up for what it brings along.
bool is_builtin(std::string_view name) noexcept {
    return name.starts_with("__nv_");
}

std::string_view next_line(std::string_view& text) noexcept {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

bool same_file(const fs::path& a, const fs::path& b) noexcept {
    struct stat first {};
    struct stat second {};
    return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool is_octal(char letter) noexcept {
    return letter >= '0' && letter <= '7';
}

// The name in `"..."` at the start of `text`, escapes undone; what follows stays in `text`.
std::optional<std::string> quoted_name(std::string_view& text) {
    std::string name;
    if (!text.starts_with('"'))
        return std::nullopt;
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '"') {
            text.remove_prefix(i + 1);
            return name;
        }
        if (text[i] != '\\' || i + 1 == text.size()) {
            name += text[i];
        } else if (i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
                   is_octal(text[i + 3])) {
            name += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                      (text[i + 3] - '0'));
            i += 3;
        } else {
            name += text[++i];
        }
    }
    return std::nullopt;
}

} // namespace

fs::path normalised(const fs::path& path) {
    auto clean = path.lexically_normal();
    if (path.native().find("..") == std::string::npos || same_file(path, clean))
        return clean;
    std::error_code error;
    auto resolved = fs::canonical(path, error);
    return error ? clean : resolved;
}

std::optional<std::vector<fs::path>> parse_include_trace(std::string_view text) {
    if (text.empty())
        return std::nullopt;
    PathList paths;
    while (!text.empty()) {
        auto line = next_line(text);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.starts_with('/'))
            paths.add(line);
        else if (!line.empty() && !is_builtin(line))
            return std::nullopt;
    }
    return paths.take();
}

std::optional<std::vector<fs::path>> parse_time_trace(std::string_view text) {
    const auto trace = nlohmann::json::parse(text, nullptr, false);
    if (!trace.is_object() || !trace.contains("traceEvents") || !trace["traceEvents"].is_array())
        return std::nullopt;
    PathList paths;
    for (const auto& event : trace["traceEvents"]) {
        if (!event.is_object() || event.value("name", "") != "Processing Header File")
            continue;
        const auto arguments = event.find("args");
        if (arguments == event.end() || !arguments->is_object())
            return std::nullopt;
        const std::string name = arguments->value("detail", "");
        if (name.starts_with('/'))
            paths.add(name);
        else if (!is_builtin(name))
            return std::nullopt;
    }
    return paths.take();
}

std::optional<std::vector<fs::path>> parse_line_markers(std::string_view text) {
    if (!text.starts_with("# "))
        return std::nullopt;
    PathList paths;
    while (!text.empty()) {
        auto line = next_line(text);
        if (!line.starts_with("# "))
            continue;
        line.remove_prefix(2);
        const auto digits = line.find_first_not_of("0123456789");
        if (digits == 0 || digits == std::string_view::npos || line[digits] != ' ')
            continue;
        line.remove_prefix(digits + 1);
        const auto name = quoted_name(line);
        if (!name)
            return std::nullopt;
        if (line.starts_with(" 1") && (line.size() == 2 || line[2] == ' ') &&
            name->starts_with('/'))
            paths.add(*name);
    }
    return paths.take();
}

void respell(std::vector<fs::path>& files, std::span<const source::Root> roots) {
    struct Place {
        std::string given;
        std::string real;
    };
    std::vector<Place> places;
    std::error_code error;
    for (const auto& root : roots) {
        const auto real = fs::canonical(root.path, error);
        if (!error)
            places.push_back({root.path.lexically_normal().native() + '/', real.native() + '/'});
    }
    std::unordered_map<std::string, std::string> directories; // as named, and resolved
    for (auto& file : files) {
        const auto& name = file.native();
        if (std::any_of(places.begin(), places.end(),
                        [&](const Place& place) { return name.starts_with(place.given); }))
            continue;
        const auto directory = file.parent_path();
        const auto [known, fresh] = directories.try_emplace(directory.native());
        if (fresh) {
            const auto real = fs::canonical(directory, error);
            known->second = (error ? directory : real).native() + '/';
        }
        const Place* best = nullptr;
        for (const auto& place : places) {
            if (known->second.starts_with(place.real) &&
                (best == nullptr || place.real.size() > best->real.size()))
                best = &place;
        }
        if (best != nullptr)
            file = best->given + known->second.substr(best->real.size()) + file.filename().native();
    }
}

} // namespace kiln::compile
