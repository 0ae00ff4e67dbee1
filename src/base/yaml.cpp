// SPDX-License-Identifier: Apache-2.0
#include "base/yaml.h"

#include "base/file_system.h"
#include "base/text.h"
#include "base/yaml_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace kiln::base {

namespace {

using Kind = YamlTreeNode::Kind;

const char* kind_name(const YamlTreeNode* node) noexcept {
    if (node == nullptr)
        return "nothing";
    switch (node->kind) {
    case Kind::scalar:
        return "a single value";
    case Kind::list:
        return "a list";
    case Kind::map:
        return "a map";
    case Kind::null:
        break;
    }
    return "nothing";
}

} // namespace

std::string Origin::str() const {
    return line > 0 ? fmt::format("{}:{}", file, line) : file;
}

std::string Origin::with_column() const {
    return line > 0 ? fmt::format("{}:{}:{}", file, line, column) : file;
}

YamlNode YamlNode::parse(std::string_view text, std::string name, ErrorCode code) {
    auto tree = parse_yaml(text, std::move(name), code);
    const YamlTreeNode* root = tree->root;
    return YamlNode(std::move(tree), root, root != nullptr ? root->line : 1,
                    root != nullptr ? root->column : 1);
}

YamlNode YamlNode::load(const std::filesystem::path& path, ErrorCode code) {
    std::error_code error;
    const auto bytes = real_file_system().read(path, YamlLimits::text, error);
    if (error)
        throw Error(code, fmt::format("cannot read {}: {}", path.string(), error.message()), {},
                    {{"location", path.string()}});
    return parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string(), code);
}

YamlNode::YamlNode(std::shared_ptr<const YamlTree> tree, const YamlTreeNode* node, int line,
                   int column)
    : tree_(std::move(tree)), node_(node), line_(line), column_(column) {}

Origin YamlNode::origin() const {
    return {tree_->name, line_, column_};
}

YamlNode YamlNode::child(const YamlTreeNode* node) const {
    if (node == nullptr)
        return YamlNode(tree_, nullptr, line_, column_);
    return YamlNode(tree_, node, node->line, node->column);
}

bool YamlNode::is_map() const noexcept {
    return node_ != nullptr && node_->kind == Kind::map;
}

bool YamlNode::is_list() const noexcept {
    return node_ != nullptr && node_->kind == Kind::list;
}

bool YamlNode::is_scalar() const noexcept {
    return node_ != nullptr && node_->kind == Kind::scalar;
}

bool YamlNode::is_null() const noexcept {
    return node_ == nullptr || node_->kind == Kind::null;
}

void YamlNode::expect_map() const {
    if (!is_map() && !is_null())
        throw error(fmt::format("expected a map, found {}", kind_name(node_)));
}

const YamlTreeNode* YamlNode::find(std::string_view key) const {
    expect_map();
    if (is_null())
        return nullptr;
    const auto& items = node_->items;
    const auto found =
        std::lower_bound(node_->by_key.begin(), node_->by_key.end(), key,
                         [&](std::uint32_t i, std::string_view k) { return items[i].key < k; });
    if (found == node_->by_key.end() || items[*found].key != key)
        return nullptr;
    return items[*found].value;
}

YamlNode YamlNode::operator[](std::string_view key) const {
    return child(find(key));
}

bool YamlNode::has(std::string_view key) const {
    return find(key) != nullptr;
}

YamlNode YamlNode::require(std::string_view key) const {
    const YamlTreeNode* found = find(key);
    if (found == nullptr)
        throw error(fmt::format("the key `{}` is missing", key));
    YamlNode value = child(found);
    if (value.is_null())
        throw value.error(fmt::format("the key `{}` has no value", key));
    return value;
}

std::vector<YamlNode::Entry> YamlNode::entries() const {
    expect_map();
    std::vector<Entry> entries;
    if (is_null())
        return entries;
    entries.reserve(node_->items.size());
    for (const auto& item : node_->items)
        entries.push_back({item.key, Origin{tree_->name, item.line, item.column},
                           std::make_shared<const YamlNode>(child(item.value))});
    return entries;
}

std::vector<YamlNode> YamlNode::items() const {
    if (is_null())
        return {};
    if (!is_list())
        return {*this};
    std::vector<YamlNode> items;
    items.reserve(node_->items.size());
    for (const auto& item : node_->items)
        items.push_back(child(item.value));
    return items;
}

void YamlNode::only_keys(std::initializer_list<std::string_view> known) const {
    expect_map();
    if (is_null())
        return;
    for (const auto& item : node_->items) {
        if (std::find(known.begin(), known.end(), item.key) != known.end())
            continue;
        const std::vector<std::string> names(known.begin(), known.end());
        const auto meant = nearest(item.key, names);
        throw tree_->error(item.line, item.column, fmt::format("unknown key `{}`", item.key),
                           meant ? fmt::format("did you mean `{}`?", *meant)
                                 : "known here: " + join(names, ", "));
    }
}

std::string YamlNode::text() const {
    if (!is_scalar())
        throw error(fmt::format("expected a single value, found {}", kind_name(node_)));
    return node_->text;
}

bool YamlNode::boolean() const {
    const std::string value = text();
    if (value != "true" && value != "false")
        throw error(fmt::format("expected `true` or `false`, found `{}`", value));
    return value == "true";
}

std::int64_t YamlNode::integer() const {
    const std::string value = text();
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (failure == std::errc::result_out_of_range)
        throw error(fmt::format("the number `{}` is out of range", value));
    if (failure != std::errc{} || end != value.data() + value.size())
        throw error(fmt::format("expected a whole number, found `{}`", value));
    return number;
}

std::vector<std::string> YamlNode::texts() const {
    std::vector<std::string> texts;
    for (const auto& item : items())
        texts.push_back(item.text());
    return texts;
}

Error YamlNode::error(std::string message, std::string hint) const {
    return tree_->error(line_, column_, message, std::move(hint));
}

} // namespace kiln::base
