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
};

/// The length of a well-formed UTF-8 sequence at the beginning, 0 if there is none.
std::size_t utf8_length(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    const std::size_t length = first < 0x80                     ? 1
                               : first >= 0xC2 && first <= 0xDF ? 2
                               : first >= 0xE0 && first <= 0xEF ? 3
                               : first >= 0xF0 && first <= 0xF4 ? 4
                                                                : 0;
    if (length == 0 || length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0u) != 0x80u)
            return 0;
    const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool surrogate = first == 0xED && byte(1) > 0x9F;
    const bool beyond = first == 0xF4 && byte(1) > 0x8F;
    return overlong || surrogate || beyond ? 0 : length;
}

// The parser would replace bad bytes, guess at other encodings and end the text at a byte 4.
void check_text(const YamlTree& tree, std::string_view text) {
    if (text.size() > YamlLimits::text)
        throw tree.error(1, 1, fmt::format("the text is longer than {} bytes", YamlLimits::text));
    int line = 1;
    std::size_t line_begin = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto column = static_cast<int>(i - line_begin) + 1;
        const std::size_t length = utf8_length(text.substr(i));
        if (length == 0)
            throw tree.error(line, column, "the text is not UTF-8");
        const auto first = static_cast<unsigned char>(text[i]);
        if (first < 0x20 && first != '\t' && first != '\n' && first != '\r')
            throw tree.error(line, column, "the text holds a control character");
        i += length;
        if (first == '\n') {
            ++line;
            line_begin = i;
        }
    }
}

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
    check_text(*tree, text);
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        TreeBuilder builder(*tree);
        while (parser.HandleNextDocument(builder)) {
        }
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
