// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <algorithm>
#include <numeric>

namespace kiln::base {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> previous(b.size() + 1);
    std::vector<std::size_t> current(b.size() + 1);
    std::iota(previous.begin(), previous.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                current[j] = std::min(current[j], before[j - 2] + 1);
        }
        std::swap(before, previous);
        std::swap(previous, current);
    }
    return previous[b.size()];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
    // The time grows with the product of the lengths, and the word may be anything.
    constexpr std::size_t longest = 256;
    if (word.size() > longest)
        return std::nullopt;
    const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
    const std::string* best = nullptr;
    std::size_t best_distance = limit + 1;
    for (const auto& candidate : candidates) {
        const std::size_t difference = candidate.size() > word.size()
                                           ? candidate.size() - word.size()
                                           : word.size() - candidate.size();
        if (difference >= best_distance)
            continue;
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best = &candidate;
            best_distance = distance;
        }
    }
    if (best == nullptr)
        return std::nullopt;
    return *best;
}

} // namespace kiln::base
