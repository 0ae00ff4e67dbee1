// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "cubin/elf_image.h"
#include "cubin/inspect.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln::cubin {

namespace {

void verify_target(const Image& image, const Target& target) {
    if (image.suffix_known && image.target == target)
        return;
    auto message = fmt::format("the cubin is for {}, not for {}", image.target.str(), target.str());
    if (!image.suffix_known)
        message =
            fmt::format("the cubin is for SM {} and has no tool note (.note.nv.tkinfo), so that "
                        "nothing shows whether it is for {}",
                        image.target.capability.str(), target.str());
    throw Error(ErrorCode::cubin_invalid, std::move(message), {},
                {{"target", target.str()}, {"found", image.target.str()}});
}

/// At most `limit` of the names, and how many more there are.
std::string listed(const std::vector<std::string>& names, std::size_t limit) {
    const auto shown = std::span(names).first(std::min(names.size(), limit));
    auto text = base::join(shown, ", ");
    if (names.size() > limit)
        text += fmt::format(" and {} more", names.size() - limit);
    return text;
}

} // namespace

void verify(const Image& image, const Target& target, std::span<const std::string> symbols) {
    constexpr std::size_t limit = 16;
    verify_target(image, target);

    std::vector<std::string> present;
    present.reserve(image.kernels.size());
    for (const auto& kernel : image.kernels)
        present.push_back(kernel.symbol);
    std::vector<std::string> missing;
    for (const auto& symbol : symbols)
        if (std::find(present.begin(), present.end(), symbol) == present.end())
            missing.push_back(symbol);
    if (missing.empty())
        return;

    std::string hint;
    if (const auto near = base::nearest(missing.front(), present))
        hint = fmt::format("did you mean {}?", *near);
    throw Error(ErrorCode::kernel_missing,
                fmt::format("kernel {} is not in the cubin, which has {}", listed(missing, limit),
                            present.empty() ? "no kernel at all" : listed(present, limit)),
                std::move(hint),
                {{"target", target.str()},
                 {"missing", base::join(missing, " ")},
                 {"kernels", base::join(present, " ")}});
}

} // namespace kiln::cubin
