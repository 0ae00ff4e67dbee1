// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/error.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::base {

/// What a YAML document may cost.
struct YamlLimits {
    static constexpr std::size_t text = 1u << 20;          ///< bytes
    static constexpr std::size_t depth = 64;               ///< maps and lists within each other
    static constexpr std::size_t alias_expansion = 100000; ///< nodes
};

/// A node of a parsed document. Aliases share the node of their anchor.
struct YamlTreeNode {
    enum class Kind : std::uint8_t { null, scalar, list, map };
    struct Item {
        std::string key; ///< empty in a list
        int line = 0;    ///< of the key
        int column = 0;
        const YamlTreeNode* value = nullptr;
    };
    Kind kind = Kind::null;
    int line = 1; ///< counts from 1, as the column
    int column = 1;
    std::string text;                  ///< of a scalar
    std::vector<Item> items;           ///< of a list or map, in the order of the text
    std::vector<std::uint32_t> by_key; ///< of a map: positions in `items`, sorted by key
    std::size_t weight = 1;            ///< nodes below and itself, aliases expanded
    std::size_t height = 0;            ///< maps and lists within each other, aliases followed
};

/// A parsed document. Immutable once parsed.
struct YamlTree {
    std::string name; ///< what places are called by
    ErrorCode code = ErrorCode::internal;
    std::deque<YamlTreeNode> nodes;
    const YamlTreeNode* root = nullptr; ///< null for an empty document

    /// `name:line:column: message`, with context "location".
    Error error(int line, int column, const std::string& message, std::string hint = {}) const;
};

/// Throws where text is too long, not UTF-8, or holds a character or directive that YamlNode::parse
/// refuses: the parser would say it with less of a place, or in more time.
void check_yaml_text(const YamlTree& tree, std::string_view text);

/// Throws Error(code); the rules are YamlNode::parse's.
std::shared_ptr<const YamlTree> parse_yaml(std::string_view text, std::string name, ErrorCode code);

} // namespace kiln::base
