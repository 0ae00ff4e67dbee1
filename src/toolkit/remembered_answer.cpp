// SPDX-License-Identifier: Apache-2.0
#include "toolkit/remembered_answer.h"

#include "base/log.h"
#include "toolkit/answer_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <span>
#include <string_view>
#include <system_error>

namespace kiln::toolkit {
namespace {

constexpr int schema = 1;

/// Identities are hexadecimal; nothing else may become part of a path.
bool usable(const std::filesystem::path& directory, const std::string& identity) {
    return !directory.empty() && !identity.empty() &&
           std::all_of(identity.begin(), identity.end(),
                       [](unsigned char c) { return std::isxdigit(c) != 0; });
}

} // namespace

std::optional<Capabilities> recall(base::FileSystem& files, const std::filesystem::path& directory,
                                   const std::string& identity) {
    if (!usable(directory, identity))
        return std::nullopt;
    std::error_code error;
    const auto bytes = files.read(directory / (identity + ".json"), std::uint64_t{1} << 20, error);
    if (error)
        return std::nullopt;
    const auto json = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (!json.is_object() || json.value("schema", nlohmann::json()) != schema ||
        json.value("identity", nlohmann::json()) != identity)
        return std::nullopt;
    Capabilities answer;
    if (!read_targets(json, "nvrtc", answer.nvrtc) || !read_targets(json, "nvcc", answer.nvcc) ||
        !read_text(json, "nvrtc_version", answer.nvrtc_version))
        return std::nullopt;
    return answer;
}

void remember(base::FileSystem& files, const std::filesystem::path& directory,
              const std::string& identity, const Capabilities& answer) {
    if (!usable(directory, identity) || !answer.nvrtc_error.empty() || !answer.nvcc_error.empty())
        return;
    nlohmann::json json;
    json["schema"] = schema;
    json["identity"] = identity;
    json["nvrtc"] = names_of(answer.nvrtc);
    json["nvcc"] = names_of(answer.nvcc);
    json["nvrtc_version"] = answer.nvrtc_version;
    const std::string text = json.dump(2) + "\n";
    std::error_code error;
    files.make_directories(directory, error);
    if (!error)
        base::publish_replace(files, directory / (identity + ".json"),
                              std::as_bytes(std::span(text)), error);
    if (error)
        base::log().debug("the answer of the toolkit could not be kept in {}: {}",
                          directory.string(), error.message());
}

} // namespace kiln::toolkit
