// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml_places.h"
#include "base/yaml_tree.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln::base {

/// Builds a tree from what a parser meets, in the order of the text, and refuses what
/// YamlNode::parse says it refuses: each call throws Error(code) with the place.
class YamlTreeBuilder {
  public:
    /// What may stand before a value; empty where it does not.
    struct Properties {
        std::string_view anchor;
        std::string_view tag;
    };

    /// `tree` has its name and code, and must outlive this.
    explicit YamlTreeBuilder(YamlTree& tree) : tree_(tree) {}

    /// A value that is no list or map; `plain`: written without quotes and not as a block.
    void scalar(YamlPlace place, Properties properties, std::string_view text, bool plain);
    void alias(YamlPlace place, std::string_view name);
    /// A list or map begins; `kind` is one of the two.
    void begin(YamlPlace place, Properties properties, YamlTreeNode::Kind kind);
    /// The list or map that began last ends.
    void end();

  private:
    struct Open {
        YamlTreeNode* node;
        bool has_key = false; ///< the last item of a map waits for its value
    };

    [[noreturn]] void fail(YamlPlace place, const std::string& message,
                           std::string hint = {}) const;
    [[noreturn]] void fail_depth(YamlPlace place) const;
    void refuse_tag(YamlPlace place, std::string_view tag) const;
    YamlTreeNode& define(YamlPlace place, YamlTreeNode::Kind kind, std::string_view anchor);
    void add(const YamlTreeNode& node, YamlPlace place);
    void add_key(Open& parent, const YamlTreeNode& node, YamlPlace place) const;
    void sort_keys(YamlTreeNode& map) const;

    YamlTree& tree_;
    std::vector<Open> open_;
    std::unordered_map<std::string, const YamlTreeNode*> anchors_;
    std::size_t expansion_ = 0;
};

} // namespace kiln::base
