// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/request.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The format of a `latest` record, version 1: the fields that a label was last stored with for a
/// target, so that a miss can say what is different. A framed CBOR item (framed.h) with magic
/// "KILNLST1":
///
///   payload = {"label": text, "target": text, "request": digest, "fields": [*[label, value]],
///              "roots": [*text]}
namespace kiln::cache {

struct Latest {
    std::string label;
    std::string target;
    base::Digest request;
    std::vector<std::pair<std::string, std::string>> fields;
    std::vector<std::string> roots; ///< names in order

    static Latest of(const Request& request);
};

/// What the record is kept under: label and target.
base::Digest latest_subject(const Request& request);

std::vector<std::byte> encode_latest(const Latest& latest);
/// Nothing for damage, or another subject's record.
std::optional<Latest> decode_latest(std::span<const std::byte> file, const Request& request);

/// The first field that differs: `options: -DX=1 became -DX=2`, `toolkit: 12.9 became 13.0`.
std::string first_difference(const Latest& before, const Latest& now);

/// How one field's value changed: the parts of it (its lines, or its words) that differ.
std::string describe_change(std::string_view label, std::string_view before, std::string_view now);

} // namespace kiln::cache
