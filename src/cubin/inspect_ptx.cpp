// SPDX-License-Identifier: Apache-2.0
#include "cubin/elf_image.h"
#include "cubin/inspect.h"

#include <algorithm>

namespace kiln::cubin {

namespace {

bool in_word(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || c == '%' || c == '.';
}

/// The words of a PTX text: directives, names, numbers. Comments and strings are passed over, every
/// other character is a word of its own.
class PtxWords {
  public:
    explicit PtxWords(std::string_view text) noexcept : text_(text.substr(0, text.find('\0'))) {}

    /// The next word; empty at the end.
    std::string_view next() noexcept {
        while (!text_.empty()) {
            if (text_.starts_with("//"))
                drop_to("\n");
            else if (text_.starts_with("/*"))
                drop_to("*/", 2);
            else if (text_.front() == '"')
                drop_to("\"", 1);
            else if (text_.front() == ' ' || (text_.front() >= '\t' && text_.front() <= '\r'))
                text_.remove_prefix(1);
            else
                return take();
        }
        return {};
    }

  private:
    void drop_to(std::string_view end, std::size_t from = 0) noexcept {
        const auto found = text_.find(end, from);
        text_ =
            found == std::string_view::npos ? std::string_view() : text_.substr(found + end.size());
    }

    std::string_view take() noexcept {
        std::size_t size = 0;
        while (size < text_.size() && in_word(text_[size]))
            ++size;
        const auto word = text_.substr(0, std::max<std::size_t>(size, 1));
        text_.remove_prefix(word.size());
        return word;
    }

    std::string_view text_;
};

} // namespace

PtxSummary inspect_ptx(std::string_view text) {
    PtxWords words(text);
    PtxSummary summary;
    if (words.next() != ".version")
        throw invalid("this is not PTX: it does not begin with .version");
    summary.version = words.next();
    if (words.next() != ".target")
        throw invalid("this is not PTX: .target does not follow .version");
    summary.target = words.next();
    if (summary.target.empty())
        throw invalid("the PTX ends before it names a target");
    for (auto word = words.next(); !word.empty(); word = words.next()) {
        if (word != ".entry")
            continue;
        const auto name = words.next();
        if (name.empty() || !in_word(name.front()))
            throw invalid("the PTX has an .entry without a name");
        if (std::find(summary.entries.begin(), summary.entries.end(), name) ==
            summary.entries.end())
            summary.entries.emplace_back(name);
    }
    return summary;
}

} // namespace kiln::cubin
