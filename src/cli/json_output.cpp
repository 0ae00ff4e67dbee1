// SPDX-License-Identifier: Apache-2.0
#include "cli/json_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

namespace kiln::cli {
namespace {

std::string_view tier_name(Tier tier) noexcept {
    switch (tier) {
    case Tier::memory:
        return "memory";
    case Tier::disk:
        return "disk";
    case Tier::remote:
        return "remote";
    case Tier::compiled:
        break;
    }
    return {};
}

} // namespace

Json text_or_null(std::string_view text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

std::string_view to_string(WarmResult::Status status) noexcept {
    switch (status) {
    case WarmResult::Status::compiled:
        return "compiled";
    case WarmResult::Status::hit:
        return "hit";
    case WarmResult::Status::denied:
        return "denied";
    case WarmResult::Status::skipped:
        return "skipped";
    case WarmResult::Status::failed:
        break;
    }
    return "failed";
}

Json to_json(const Error& error) {
    Json json{{"code", kiln::to_string(error.code())},
              {"message", error.message()},
              {"hint", text_or_null(error.hint())},
              {"location", text_or_null(error.context("location"))},
              {"log", text_or_null(error.context("log"))}};
    for (const char* label : {"chain", "tried"}) {
        if (const auto value = error.context(label); !value.empty())
            json[label] = value;
    }
    return json;
}

Json to_json(const WarmResult& result) {
    Json json{{"module", result.module},
              {"instance", result.instance},
              {"target", result.target},
              {"status", to_string(result.status)},
              {"tier", nullptr},
              {"key", nullptr},
              {"entry", nullptr},
              {"seconds", result.seconds},
              {"kernels", Json::array()},
              {"miss_reason", nullptr},
              {"error", result.error ? to_json(*result.error) : Json(nullptr)}};
    if (result.cubin) {
        json["tier"] = text_or_null(tier_name(result.cubin->tier));
        json["key"] = text_or_null(result.cubin->key);
        json["entry"] = text_or_null(result.cubin->entry);
        json["miss_reason"] = text_or_null(result.cubin->miss_reason);
        for (const auto& kernel : result.cubin->kernels)
            json["kernels"].push_back(kernel.symbol);
    }
    return json;
}

Json to_json(std::span<const WarmResult> results) {
    std::map<std::string_view, std::size_t> counts;
    Json list = Json::array();
    for (const auto& result : results) {
        ++counts[to_string(result.status)];
        list.push_back(to_json(result));
    }
    Json summary{{"wanted", results.size()}};
    for (const char* status : {"compiled", "hit", "denied", "skipped", "failed"})
        summary[status] = counts[status];
    return {{"results", std::move(list)}, {"summary", std::move(summary)}};
}

void print_json(const Json& json) {
    const auto text = json.dump(2, ' ', false, Json::error_handler_t::replace);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fputc('\n', stdout);
}

ExitCode exit_code_of(std::span<const WarmResult> results, const GlobalOptions& options) {
    auto code = ExitCode::done;
    for (const auto& result : results) {
        if (!result.error)
            continue;
        auto one = exit_code_of(result.error->code());
        if (one == ExitCode::partial && options.allow_skips)
            one = ExitCode::done;
        code = worse(code, one);
    }
    // Nothing at all could be built because the toolkit lacks every target: that is the toolchain.
    const bool all_unsupported =
        !results.empty() && std::all_of(results.begin(), results.end(), [](const auto& result) {
            return result.error && result.error->code() == ErrorCode::unsupported_target;
        });
    return all_unsupported && !options.allow_skips ? ExitCode::toolchain : code;
}

} // namespace kiln::cli
