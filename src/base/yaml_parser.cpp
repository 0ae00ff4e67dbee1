// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_builder.h"
#include "base/yaml_places.h"
#include "base/yaml_tree.h"

#include <fmt/format.h>
#include <yaml.h>

#include <new>

namespace kiln::base {

namespace {

using Kind = YamlTreeNode::Kind;

std::string_view view(const yaml_char_t* text) noexcept {
    return text != nullptr ? reinterpret_cast<const char*>(text) : std::string_view{};
}

/// libyaml's parser, which asks for events one at a time and does not recurse.
class Events {
  public:
    explicit Events(std::string_view text) : places_(text), text_(text) {
        if (yaml_parser_initialize(&parser_) == 0)
            throw std::bad_alloc();
        yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                     text.size());
        // Otherwise the first bytes may choose another encoding.
        yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    }
    ~Events() {
        yaml_event_delete(&event_);
        yaml_parser_delete(&parser_);
    }
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;

    /// The next event, which lives until the call after. Throws what `tree` makes of a syntax
    /// error.
    const yaml_event_t& next(const YamlTree& tree) {
        yaml_event_delete(&event_);
        if (yaml_parser_parse(&parser_, &event_) == 0)
            fail(tree);
        return event_;
    }

    YamlPlace place(const yaml_mark_t& mark) { return places_.of_character(mark.index); }

  private:
    [[noreturn]] void fail(const YamlTree& tree) {
        if (parser_.error == YAML_MEMORY_ERROR)
            throw std::bad_alloc();
        const std::string_view context =
            parser_.context != nullptr ? parser_.context : std::string_view{};
        const std::string_view problem =
            parser_.problem != nullptr ? parser_.problem : "this is no YAML";
        const YamlPlace begin = place(parser_.context_mark);
        if (context == "while scanning a quoted scalar" && problem.ends_with("end of stream"))
            throw tree.error(begin.line, begin.column, "a quoted value has no end");
        const YamlPlace here = place(parser_.problem_mark);
        std::string message(problem);
        if (!context.empty())
            message += fmt::format(" {}", context);
        if (!context.empty() && begin.line < here.line)
            message += fmt::format(" that begins in line {}", begin.line);
        throw tree.error(here.line, here.column, message, hint());
    }

    /// After the place of the problem was asked for.
    std::string hint() const {
        if (places_.byte() < text_.size() && text_[places_.byte()] == '\t')
            return "indent with blanks: YAML takes no tab there";
        return {};
    }

    YamlPlaces places_;
    std::string_view text_;
    yaml_parser_t parser_{};
    yaml_event_t event_{};
};

/// Feeds the events of one document to a builder.
void build(YamlTree& tree, std::string_view text) {
    Events events(text);
    YamlTreeBuilder builder(tree);
    int documents = 0;
    for (;;) {
        const yaml_event_t& event = events.next(tree);
        const auto place = [&] { return events.place(event.start_mark); };
        switch (event.type) {
        case YAML_DOCUMENT_START_EVENT:
            if (++documents > 1)
                throw tree.error(place().line, place().column, "there is more than one document");
            break;
        case YAML_SCALAR_EVENT: {
            const auto& scalar = event.data.scalar;
            builder.scalar(place(), {view(scalar.anchor), view(scalar.tag)},
                           {reinterpret_cast<const char*>(scalar.value), scalar.length},
                           scalar.style == YAML_PLAIN_SCALAR_STYLE);
            break;
        }
        case YAML_ALIAS_EVENT:
            builder.alias(place(), view(event.data.alias.anchor));
            break;
        case YAML_SEQUENCE_START_EVENT: {
            const auto& list = event.data.sequence_start;
            builder.begin(place(), {view(list.anchor), view(list.tag)}, Kind::list);
            break;
        }
        case YAML_MAPPING_START_EVENT: {
            const auto& map = event.data.mapping_start;
            builder.begin(place(), {view(map.anchor), view(map.tag)}, Kind::map);
            break;
        }
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT:
            builder.end();
            break;
        case YAML_NO_EVENT:
        case YAML_STREAM_END_EVENT:
            return;
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_END_EVENT:
            break;
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
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark))
        text.remove_prefix(byte_order_mark.size());
    check_yaml_text(*tree, text);
    build(*tree, text);
    return tree;
}

} // namespace kiln::base
