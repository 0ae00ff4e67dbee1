// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace kiln::base {

namespace {

using Kind = YamlTreeNode::Kind;

bool spells_null(std::string_view text) noexcept {
    return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

} // namespace

void YamlTreeBuilder::fail(YamlPlace place, const std::string& message, std::string hint) const {
    throw tree_.error(place.line, place.column, message, std::move(hint));
}

void YamlTreeBuilder::fail_depth(YamlPlace place) const {
    fail(place, fmt::format("maps and lists are nested deeper than {}", YamlLimits::depth));
}

void YamlTreeBuilder::refuse_tag(YamlPlace place, std::string_view tag) const {
    // `!` alone says no more than that the value is not to be guessed at.
    if (!tag.empty() && tag != "!")
        fail(place, fmt::format("the tag `{}` is not supported", tag),
             "remove it: values are taken as they are written");
}

YamlTreeNode& YamlTreeBuilder::define(YamlPlace place, Kind kind, std::string_view anchor) {
    YamlTreeNode& node = tree_.nodes.emplace_back();
    node.kind = kind;
    node.line = place.line;
    node.column = place.column;
    if (!anchor.empty())
        anchors_[std::string(anchor)] = &node;
    return node;
}

void YamlTreeBuilder::scalar(YamlPlace place, Properties properties, std::string_view text,
                             bool plain) {
    refuse_tag(place, properties.tag);
    if (text.find('\0') != std::string_view::npos)
        fail(place, "a value holds a NUL character");
    const bool is_null = plain && properties.tag.empty() && spells_null(text);
    YamlTreeNode& node = define(place, is_null ? Kind::null : Kind::scalar, properties.anchor);
    if (!is_null)
        node.text = text;
    add(node, place);
}

void YamlTreeBuilder::alias(YamlPlace place, std::string_view name) {
    const auto found = anchors_.find(std::string(name));
    if (found == anchors_.end())
        fail(place, fmt::format("the alias `*{}` names nothing before it", name));
    const YamlTreeNode& target = *found->second;
    const bool open = std::any_of(open_.begin(), open_.end(),
                                  [&](const Open& entry) { return entry.node == &target; });
    if (open)
        fail(place, fmt::format("the alias `*{}` stands within what it names", name));
    expansion_ += target.weight;
    if (expansion_ > YamlLimits::alias_expansion)
        fail(place,
             fmt::format("aliases expand to more than {} nodes", YamlLimits::alias_expansion));
    if (open_.size() + target.height > YamlLimits::depth)
        fail_depth(place);
    add(target, place);
}

void YamlTreeBuilder::begin(YamlPlace place, Properties properties, Kind kind) {
    refuse_tag(place, properties.tag);
    if (open_.size() >= YamlLimits::depth)
        fail_depth(place);
    YamlTreeNode& node = define(place, kind, properties.anchor);
    add(node, place);
    open_.push_back({&node});
}

void YamlTreeBuilder::end() {
    YamlTreeNode& node = *open_.back().node;
    open_.pop_back();
    if (node.kind == Kind::map)
        sort_keys(node);
    node.height = 1;
    for (const auto& item : node.items) {
        node.weight += item.value->weight;
        node.height = std::max(node.height, item.value->height + 1);
    }
}

void YamlTreeBuilder::add(const YamlTreeNode& node, YamlPlace place) {
    if (open_.empty()) {
        tree_.root = &node;
        return;
    }
    Open& parent = open_.back();
    auto& items = parent.node->items;
    if (parent.node->kind == Kind::list) {
        items.push_back({{}, place.line, place.column, &node});
    } else if (parent.has_key) {
        items.back().value = &node;
        parent.has_key = false;
    } else {
        add_key(parent, node, place);
    }
}

void YamlTreeBuilder::add_key(Open& parent, const YamlTreeNode& node, YamlPlace place) const {
    if (node.kind != Kind::scalar)
        fail(place, node.kind == Kind::null ? "a key is empty" : "a key must be plain text");
    if (node.text == "<<")
        fail(place, "merge keys (`<<`) are not supported", "write the keys out");
    parent.node->items.push_back({node.text, place.line, place.column, nullptr});
    parent.has_key = true;
}

void YamlTreeBuilder::sort_keys(YamlTreeNode& map) const {
    const auto& items = map.items;
    auto& order = map.by_key;
    order.resize(items.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const int sign = items[a].key.compare(items[b].key);
        return sign != 0 ? sign < 0 : a < b;
    });
    const auto twice =
        std::adjacent_find(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return items[a].key == items[b].key;
        });
    if (twice == order.end())
        return;
    const auto& first = items[*twice];
    const auto& again = items[*(twice + 1)];
    throw tree_.error(again.line, again.column,
                      fmt::format("the key `{}` is given twice", again.key),
                      fmt::format("the first one is in line {}", first.line));
}

} // namespace kiln::base
