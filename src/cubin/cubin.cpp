// SPDX-License-Identifier: Apache-2.0
#include <kiln/cubin.h>

#include <algorithm>

namespace kiln {

namespace {

bool is_blank(char c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool in_word(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Hands out an expression with the blanks that mean something only: one between two words.
class Compact {
  public:
    explicit Compact(std::string_view text) noexcept : text_(text) {}

    /// The next character, or 0 at the end.
    char next() noexcept {
        const auto begin = position_;
        while (position_ < text_.size() && is_blank(text_[position_]))
            ++position_;
        if (position_ == text_.size())
            return 0;
        if (position_ > begin && in_word(last_) && in_word(text_[position_]))
            return last_ = ' ';
        return last_ = text_[position_++];
    }

  private:
    std::string_view text_;
    std::size_t position_ = 0;
    char last_ = 0;
};

bool same_expression(std::string_view a, std::string_view b) noexcept {
    Compact left(a);
    Compact right(b);
    for (;;) {
        const char c = left.next();
        if (c != right.next())
            return false;
        if (c == 0)
            return true;
    }
}

} // namespace

std::span<const std::byte> Cubin::image() const noexcept {
    return bytes ? std::span<const std::byte>(*bytes) : std::span<const std::byte>();
}

const KernelInfo* Cubin::find(std::string_view name) const noexcept {
    if (name.empty())
        return kernels.size() == 1 ? &kernels.front() : nullptr;
    for (const auto& kernel : kernels)
        if (kernel.symbol == name)
            return &kernel;
    for (const auto& kernel : kernels)
        for (const auto& expression : kernel.expressions)
            if (same_expression(expression, name))
                return &kernel;
    return nullptr;
}

} // namespace kiln
