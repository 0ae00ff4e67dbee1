// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <unordered_map>

namespace kiln::base {

namespace {

using Kind = YamlTreeNode::Kind;

/// Builds the tree from the parser's events. The parser recurses, and calls before it goes down:
/// throwing here bounds its stack too.
class TreeBuilder final : public YAML::EventHandler {
  public:
    explicit TreeBuilder(YamlTree& tree) : tree_(tree) {}

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1)
            fail(mark, "there is more than one document");
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        add(define(mark, Kind::null, anchor), mark);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        refuse_tag(mark, tag);
        if (value.find('\0') != std::string::npos)
            fail(mark, "a value holds a NUL character");
        YamlTreeNode& node = define(mark, Kind::scalar, anchor);
        node.text = value;
        last_scalar_ = mark;
        add(node, mark);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end())
            fail(mark, "an alias names nothing");
        YamlTreeNode& target = *found->second;
        const bool open = std::any_of(open_.begin(), open_.end(),
                                      [&](const Open& entry) { return entry.node == &target; });
        if (open)
            fail(mark, "an alias stands within what it names");
        expansion_ += target.weight;
        if (expansion_ > YamlLimits::alias_expansion)
            fail(mark,
                 fmt::format("aliases expand to more than {} nodes", YamlLimits::alias_expansion));
        if (open_.size() + target.height > YamlLimits::depth)
            fail_depth(mark);
        add(target, mark);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        begin(mark, tag, Kind::list, anchor);
    }
    void OnSequenceEnd() override { end(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        begin(mark, tag, Kind::map, anchor);
    }
    void OnMapEnd() override {
        YamlTreeNode& map = *open_.back().node;
        sort_keys(map);
        end();
    }

    /// The parser takes the end of the text for a closing quote.
    void check_last_quote(std::string_view text) const {
        if (last_scalar_.is_null())
            return;
        // The place is that of an anchor, where there is one.
        auto i = static_cast<std::size_t>(last_scalar_.pos);
        while (i < text.size() && text[i] == '&')
            i = text.find_first_not_of(" \t\r\n", text.find_first_of(" \t\r\n", i));
        if (i >= text.size() || (text[i] != '"' && text[i] != '\''))
            return;
        const char quote = text[i];
        for (++i; i < text.size(); ++i) {
            if (quote == '"' && text[i] == '\\')
                ++i;
            else if (text[i] == quote && quote == '\'' && text.substr(i + 1, 1) == "'")
                ++i;
            else if (text[i] == quote)
                return;
        }
        fail(last_scalar_, "a quoted value has no end");
    }

  private:
    struct Open {
        YamlTreeNode* node;
        bool has_key = false; ///< the last item of a map waits for its value
    };

    [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message,
                           std::string hint = {}) const {
        throw tree_.error(mark.line + 1, mark.column + 1, message, std::move(hint));
    }
    [[noreturn]] void fail_depth(const YAML::Mark& mark) const {
        fail(mark, fmt::format("maps and lists are nested deeper than {}", YamlLimits::depth));
    }

    void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
        // The two non-specific tags: plain and quoted.
        if (!tag.empty() && tag != "?" && tag != "!")
            fail(mark, fmt::format("the tag `{}` is not supported", tag),
                 "remove it: values are taken as they are written");
    }

    YamlTreeNode& define(const YAML::Mark& mark, Kind kind, YAML::anchor_t anchor) {
        YamlTreeNode& node = tree_.nodes.emplace_back();
        node.kind = kind;
        node.line = mark.line + 1;
        node.column = mark.column + 1;
        if (anchor != YAML::NullAnchor)
            anchors_[anchor] = &node;
        return node;
    }

    void begin(const YAML::Mark& mark, const std::string& tag, Kind kind, YAML::anchor_t anchor) {
        refuse_tag(mark, tag);
        if (open_.size() >= YamlLimits::depth)
            fail_depth(mark);
        YamlTreeNode& node = define(mark, kind, anchor);
        add(node, mark);
        open_.push_back({&node});
    }

    void end() {
        YamlTreeNode& node = *open_.back().node;
        open_.pop_back();
        node.height = 1;
        for (const auto& item : node.items) {
            node.weight += item.value->weight;
            node.height = std::max(node.height, item.value->height + 1);
        }
    }

    void add(YamlTreeNode& node, const YAML::Mark& mark) {
        if (open_.empty()) {
            tree_.root = &node;
            return;
        }
        Open& parent = open_.back();
        auto& items = parent.node->items;
        if (parent.node->kind == Kind::list) {
            items.push_back({{}, mark.line + 1, mark.column + 1, &node});
        } else if (parent.has_key) {
            items.back().value = &node;
            parent.has_key = false;
        } else {
            add_key(parent, node, mark);
        }
    }

    void add_key(Open& parent, const YamlTreeNode& node, const YAML::Mark& mark) const {
        if (node.kind != Kind::scalar)
            fail(mark, node.kind == Kind::null ? "a key is empty" : "a key must be plain text");
        if (node.text == "<<")
            fail(mark, "merge keys (`<<`) are not supported", "write the keys out");
        parent.node->items.push_back({node.text, mark.line + 1, mark.column + 1, nullptr});
        parent.has_key = true;
    }

    void sort_keys(YamlTreeNode& map) const {
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

    YamlTree& tree_;
    std::vector<Open> open_;
    std::unordered_map<YAML::anchor_t, YamlTreeNode*> anchors_;
    std::size_t expansion_ = 0;
    int documents_ = 0;
    YAML::Mark last_scalar_ = YAML::Mark::null_mark();
};

} // namespace

Error YamlTree::error(int line, int column, const std::string& message, std::string hint) const {
    std::string place = fmt::format("{}:{}:{}", name, line, column);
    std::string text = place + ": " + message;
    return Error(code, std::move(text), std::move(hint), {{"location", std::move(place)}});
}

std::shared_ptr<const YamlTree> parse_yaml(std::string_view text, std::string name,
                                           ErrorCode code) {
    auto tree = std::make_shared<YamlTree>();
    tree->name = std::move(name);
    tree->code = code;
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark))
        text.remove_prefix(byte_order_mark.size());
    check_yaml_text(*tree, text);
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        TreeBuilder builder(*tree);
        while (parser.HandleNextDocument(builder)) {
        }
        builder.check_last_quote(text);
    } catch (const Error&) {
        throw;
    } catch (const YAML::Exception& failure) {
        const bool placed = !failure.mark.is_null();
        throw tree->error(placed ? failure.mark.line + 1 : 1, placed ? failure.mark.column + 1 : 1,
                          failure.msg);
    }
    return tree;
}

} // namespace kiln::base
