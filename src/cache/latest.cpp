// SPDX-License-Identifier: Apache-2.0
#include "cache/latest.h"

#include "base/text.h"
#include "cache/framed.h"
#include "cache/layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln::cache {

namespace {

using nlohmann::json;

constexpr std::string_view magic = "KILNLST1";
constexpr std::uint32_t version = 1;

/// Parts for people: a digest by its first digits, nothing longer than a line.
std::string shown(std::span<const std::string_view> parts) {
    constexpr std::size_t longest = 160;
    std::string text;
    for (const std::string_view part : parts) {
        if (!text.empty())
            text += ' ';
        text += is_hex(part, 64) ? part.substr(0, 12) : part;
    }
    if (text.size() > longest)
        text = text.substr(0, longest) + "...";
    return text.empty() ? "nothing" : text;
}

} // namespace

Latest Latest::of(const Request& request) {
    Latest latest{request.label, request.target.str(), request.digest(), request.fields, {}};
    for (const NamedRoot& root : request.roots)
        latest.roots.push_back(root.name);
    return latest;
}

base::Digest latest_subject(const Request& request) {
    base::Hasher hasher;
    hasher.field("label", request.label);
    hasher.field("target", request.target.str());
    return hasher.finish();
}

std::vector<std::byte> encode_latest(const Latest& latest) {
    json fields = json::array();
    for (const auto& [label, value] : latest.fields)
        fields.push_back(json::array({label, value}));
    return frame({{"label", latest.label},
                  {"target", latest.target},
                  {"request", binary(latest.request.bytes)},
                  {"fields", std::move(fields)},
                  {"roots", latest.roots}},
                 magic, version);
}

std::optional<Latest> decode_latest(std::span<const std::byte> file, const Request& request) {
    const auto payload = unframe(file, magic, version);
    if (!payload)
        return std::nullopt;
    try {
        Latest latest;
        latest.label = payload->at("label").get<std::string>();
        latest.target = payload->at("target").get<std::string>();
        const auto digest = bytes_of(payload->at("request"));
        if (latest.label != request.label || latest.target != request.target.str() ||
            digest.size() != latest.request.bytes.size())
            return std::nullopt;
        std::copy(digest.begin(), digest.end(), latest.request.bytes.begin());
        for (const json& field : payload->at("fields"))
            latest.fields.emplace_back(field.at(0).get<std::string>(),
                                       field.at(1).get<std::string>());
        latest.roots = payload->at("roots").get<std::vector<std::string>>();
        return latest;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

std::string describe_change(std::string_view label, std::string_view before, std::string_view now) {
    const bool lines =
        before.find('\n') != std::string_view::npos || now.find('\n') != std::string_view::npos;
    const auto parts = [&](std::string_view text) {
        auto result = base::split(text, lines ? '\n' : ' ');
        std::erase(result, std::string_view{});
        return result;
    };
    const auto old_parts = parts(before);
    const auto new_parts = parts(now);
    const auto head =
        std::mismatch(old_parts.begin(), old_parts.end(), new_parts.begin(), new_parts.end());
    auto old_end = old_parts.end();
    auto new_end = new_parts.end();
    while (old_end != head.first && new_end != head.second && old_end[-1] == new_end[-1]) {
        --old_end;
        --new_end;
    }
    const std::span gone(head.first, old_end);
    const std::span come(head.second, new_end);
    if (gone.empty() && !come.empty())
        return fmt::format("{}: {} was added", label, shown(come));
    if (come.empty() && !gone.empty())
        return fmt::format("{}: {} was dropped", label, shown(gone));
    return fmt::format("{}: {} became {}", label, shown(gone), shown(come));
}

std::string first_difference(const Latest& before, const Latest& now) {
    for (std::size_t i = 0; i < now.fields.size(); ++i) {
        const std::string& label = now.fields[i].first;
        const std::string& value = now.fields[i].second;
        if (i < before.fields.size() && before.fields[i] == now.fields[i])
            continue;
        const auto old = std::find_if(before.fields.begin(), before.fields.end(),
                                      [&](const auto& field) { return field.first == label; });
        if (old == before.fields.end())
            return describe_change(label, {}, value);
        if (old->second != value)
            return describe_change(label, old->second, value);
    }
    if (before.fields.size() > now.fields.size())
        return before.fields[now.fields.size()].first + ": is asked for no more";
    if (before.fields != now.fields)
        return "the order of the fields differs";
    if (before.roots != now.roots)
        return describe_change("search path", base::join(before.roots, "\n"),
                               base::join(now.roots, "\n"));
    if (before.request != now.request)
        return "search path: the roots lie within each other in another way";
    return "its manifest is gone";
}

} // namespace kiln::cache
