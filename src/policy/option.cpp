// SPDX-License-Identifier: Apache-2.0
#include "policy/option.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace kiln::policy {
namespace {

using Outcome = Translation::Outcome;

constexpr std::string_view opening = "${";

/// The text with each `${...}` as a value that most options take.
std::string sample(std::string_view text) {
    std::string result;
    while (true) {
        const auto open = text.find(opening);
        result += text.substr(0, open);
        if (open == std::string_view::npos) {
            return result;
        }
        int depth = 0;
        std::size_t at = open + 1;
        for (; at < text.size(); ++at) {
            if (text[at] == '{') {
                ++depth;
            } else if (text[at] == '}' && --depth == 0) {
                break;
            }
        }
        result += '1';
        text.remove_prefix(std::min(at + 1, text.size()));
    }
}

} // namespace

Option::Option(std::string text, std::string place)
    : written(std::move(text)), origin(std::move(place)),
      is_template(written.find(opening) != std::string::npos) {
    const std::string translated = is_template ? sample(written) : written;
    nvrtc = translate(translated, Backend::nvrtc);
    nvcc = translate(translated, Backend::nvcc);
    subject = subject_of(translated);
}

Option Option::include(std::string name, const std::string& path, std::string place) {
    Option option;
    option.written = "-I" + path;
    option.origin = std::move(place);
    option.nvrtc = {Outcome::accepted, {option.written}, {}};
    option.nvcc = option.nvrtc;
    option.subject = {"include " + name, true};
    option.root = std::move(name);
    option.is_template = option.written.find(opening) != std::string::npos;
    return option;
}

const std::string* Option::refusal() const noexcept {
    const bool everywhere = nvrtc.outcome == Outcome::refused && nvcc.outcome == Outcome::refused;
    return everywhere ? &nvcc.reason : nullptr;
}

Option checked_option(const base::YamlNode& node, std::string text) {
    Option option(std::move(text), node.origin().str());
    if (const std::string* refusal = option.refusal()) {
        throw node.error(fmt::format("the option `{}` is refused: {}", option.written, *refusal));
    }
    return option;
}

void read_defines(const base::YamlNode& node, std::vector<Option>& options) {
    for (const auto& entry : node.entries()) {
        std::string text = "-D" + entry.key;
        if (!entry.value->is_null()) {
            text += '=';
            text += entry.value->text();
        }
        Option option(std::move(text), entry.key_origin.str());
        if (const std::string* refusal = option.refusal()) {
            throw entry.value->error(
                fmt::format("the define `{}` is refused: {}", entry.key, *refusal));
        }
        options.push_back(std::move(option));
    }
}

void read_undefines(const base::YamlNode& node, std::vector<Option>& options) {
    for (const base::YamlNode& item : node.items()) {
        options.push_back(checked_option(item, "-U" + item.text()));
    }
}

void read_options(const base::YamlNode& node, std::vector<Option>& options) {
    for (const base::YamlNode& item : node.items()) {
        options.push_back(checked_option(item, item.text()));
    }
}

void read_includes(const base::YamlNode& node, std::vector<Option>& options) {
    if (!node.is_map()) {
        throw node.error("include directories have names, which stand for the paths in cache keys",
                         "write `include: {NAME: DIRECTORY}`");
    }
    const auto directory = std::filesystem::absolute(node.origin().file).parent_path();
    for (const auto& entry : node.entries()) {
        std::string path = entry.value->text();
        if (path.empty()) {
            throw entry.value->error("an empty path");
        }
        const bool is_relative = path.front() != '/' && path.front() != '@' &&
                                 path.compare(0, opening.size(), opening) != 0;
        if (is_relative) {
            path = (directory / path).lexically_normal().string();
        }
        options.push_back(Option::include(entry.key, path, entry.key_origin.str()));
    }
}

} // namespace kiln::policy
