// SPDX-License-Identifier: Apache-2.0
#include "source/include_scanner.h"

#include "base/text.h"
#include "source/directive_reader.h"
#include "source/lexical.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace kiln::source {

namespace {

using Form = IncludeDirective::Form;

constexpr std::size_t longest_condition = 200;
constexpr std::size_t longest_name = 4096; // PATH_MAX
constexpr std::size_t deepest_condition = 1000;
constexpr std::size_t most_directives = 200'000;

/// `<name>` or `"name"` at the front of `text`; the form is `computed` where there is none.
Form header_name(std::string_view text, std::string& name) {
    if (text.empty() || (text.front() != '<' && text.front() != '"'))
        return Form::computed;
    const std::size_t end = text.substr(0, longest_name).find(text.front() == '<' ? '>' : '"', 1);
    if (end == std::string_view::npos || end == 1)
        return Form::computed;
    name = text.substr(1, end - 1);
    return text.front() == '<' ? Form::angled : Form::quoted;
}

bool is_probe(std::string_view word) {
    return word == "__has_include" || word == "__has_include_next";
}

/// Whether a macro's parameter list has `word`.
bool has_parameter(std::string_view parameters, std::string_view word) {
    while (!parameters.empty() && !word.empty()) {
        if (is_word(parameters.front())) {
            if (take_word(parameters) == word)
                return true;
        } else {
            parameters.remove_prefix(1);
        }
    }
    return false;
}

/// The macro that `#ifndef X` and `#if !defined(X)` ask for.
std::string_view guard_of(std::string_view name, std::string_view operand) {
    if (name == "if" && operand.starts_with("!defined")) {
        operand = skip_blanks(operand.substr(std::string_view("!defined").size()));
        if (operand.starts_with('('))
            operand.remove_prefix(1);
        operand = skip_blanks(operand);
    } else if (name != "ifndef") {
        return {};
    }
    return take_word(operand);
}

/// Operators of conditions that take a word: no macro of the text's own.
bool is_operator(std::string_view word) {
    static constexpr std::array<std::string_view, 9> operators{
        "defined",       "__has_attribute", "__has_builtin",   "__has_cpp_attribute", "__has_embed",
        "__has_feature", "__has_extension", "__is_identifier", "__has_warning"};
    return std::find(operators.begin(), operators.end(), word) != operators.end();
}

/// One text's scan in progress: what its conditions say at this point.
class Scanner {
  public:
    Scan scan(std::string_view text);

  private:
    struct Condition {
        std::string text;
        bool inverted = false;
    };
    void open(std::string text);
    void close();
    void handle(std::string_view directive);
    void include(std::string_view operand, bool next);
    void define(std::string_view rest);
    void probes(std::string_view text, std::string_view macro, std::string_view parameters);
    void probe(std::string_view word, std::string_view operand, std::string_view macro,
               std::string_view parameters);
    IncludeDirective& add(Form form, std::string name);

    Scan result_;
    std::vector<Condition> conditions_;
    std::size_t unrecorded_ = 0; ///< conditions open below the deepest one that is kept
    std::string guard_;          ///< of the first `#ifndef`, until the next directive
    bool first_ = true;
    int line_ = 0;
};

IncludeDirective& Scanner::add(Form form, std::string name) {
    IncludeDirective& directive = result_.directives.emplace_back();
    directive.form = form;
    directive.name = std::move(name);
    directive.line = line_;
    if (!conditions_.empty())
        directive.condition = conditions_.back().text;
    return directive;
}

void Scanner::include(std::string_view operand, bool next) {
    operand = base::trim(operand);
    if (operand.empty())
        return;
    std::string name;
    const Form form = header_name(operand, name);
    if (form == Form::computed)
        name = operand;
    add(form, std::move(name)).next = next;
}

/// One call `word(operand...` in a condition or a macro's body.
void Scanner::probe(std::string_view word, std::string_view operand, std::string_view macro,
                    std::string_view parameters) {
    std::string name;
    const Form form = header_name(operand, name);
    // No other operator takes a header name: this is `__has_include` under whatever name.
    if (form != Form::computed) {
        IncludeDirective& directive = add(form, std::move(name));
        directive.probe = true;
        directive.next = word == "__has_include_next";
        return;
    }
    const std::string_view whole = operand.substr(0, longest_condition);
    const std::string_view argument = take_word(operand);
    if (is_probe(word)) {
        // Within a condition the operand may be anything, and all of it is unknown here.
        if (has_parameter(parameters, argument)) {
            result_.probe_macros.emplace_back(macro);
            return;
        }
        IncludeDirective& directive =
            add(Form::computed, std::string(base::trim(whole.substr(0, whole.find(')')))));
        directive.probe = true;
    } else if (macro.empty() && !argument.empty() && skip_blanks(operand).starts_with(')')) {
        IncludeDirective& directive = add(Form::computed, std::string(argument));
        directive.probe = true;
        directive.through = word;
    }
}

/// Every call in `text` that may ask for a file.
void Scanner::probes(std::string_view text, std::string_view macro, std::string_view parameters) {
    while (!text.empty() && result_.directives.size() < most_directives) {
        const char c = text.front();
        if (is_word(c)) {
            const std::string_view word = take_word(text);
            while (is_digit(word.front()) && text.starts_with('\'') && text.size() > 1 &&
                   is_word(text[1])) { // a digit separator
                text.remove_prefix(1);
                take_word(text);
            }
            const std::string_view rest = skip_blanks(text);
            if (!rest.starts_with('(') || is_operator(word))
                continue;
            probe(word, skip_blanks(rest.substr(1)), macro, parameters);
        } else if (c == '"' || c == '\'') {
            const std::size_t end = text.find(c, 1);
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        } else {
            text.remove_prefix(1);
        }
    }
}

void Scanner::define(std::string_view rest) {
    const std::string_view name = take_word(rest);
    if (!name.empty() && name == guard_ && !conditions_.empty())
        conditions_.back().text.clear(); // an include guard is no condition
    std::string_view parameters;
    if (rest.starts_with('(')) {
        const std::size_t end = rest.substr(0, longest_name).find(')');
        if (end == std::string_view::npos)
            return;
        parameters = rest.substr(1, end - 1);
        rest.remove_prefix(end + 1);
    }
    if (rest.find("__has_include") != std::string_view::npos)
        probes(rest, name, parameters);
}

void Scanner::open(std::string text) {
    if (conditions_.size() == deepest_condition) {
        ++unrecorded_;
        return;
    }
    text.resize(std::min(text.size(), longest_condition));
    conditions_.push_back({std::move(text), false});
}

void Scanner::close() {
    if (unrecorded_ > 0)
        --unrecorded_;
    else if (!conditions_.empty())
        conditions_.pop_back();
}

void Scanner::handle(std::string_view directive) {
    std::string_view rest = directive;
    const std::string_view name = take_word(rest);
    rest = skip_blanks(rest);
    const std::string operand(base::trim(rest.substr(0, longest_condition)));
    if (name == "define")
        define(rest);
    guard_ = first_ ? guard_of(name, operand) : std::string_view{};
    first_ = first_ && name == "pragma";

    if (name == "include" || name == "include_next" || name == "import") {
        include(rest, name == "include_next");
    } else if (name == "if") {
        probes(rest, {}, {});
        open(operand);
    } else if (name == "ifdef") {
        open("defined(" + operand + ')');
    } else if (name == "ifndef") {
        open("!defined(" + operand + ')');
    } else if (name == "elif" || name == "elifdef" || name == "elifndef") {
        close();
        if (name == "elif")
            probes(rest, {}, {});
        open(operand);
    } else if (name == "else" && unrecorded_ == 0 && !conditions_.empty() &&
               !conditions_.back().inverted) {
        Condition& condition = conditions_.back();
        condition.text = ("!(" + condition.text + ')').substr(0, longest_condition);
        condition.inverted = true;
    } else if (name == "endif") {
        close();
    }
}

Scan Scanner::scan(std::string_view text) {
    DirectiveReader reader(text);
    std::string directive;
    while (reader.next(directive, line_)) {
        if (result_.directives.size() >= most_directives) {
            result_.truncated = true;
            break;
        }
        handle(directive);
    }
    return std::move(result_);
}

} // namespace

Scan scan_source(std::string_view text) {
    return Scanner().scan(text);
}

std::vector<IncludeDirective> scan_includes(std::string_view text) {
    Scan scan = scan_source(text);
    std::erase_if(scan.directives,
                  [](const IncludeDirective& directive) { return !directive.through.empty(); });
    return std::move(scan.directives);
}

} // namespace kiln::source
