// SPDX-License-Identifier: Apache-2.0
#include "arch/advice.h"

#include <fmt/format.h>

namespace kiln {

Target Target::parse(std::string_view text) {
    const auto spelling = arch::read(text);
    if (!spelling || spelling->with_ptx)
        throw arch::refusal(text, arch::Wanted::target);
    return spelling->target();
}

std::string Target::str() const {
    return fmt::format("{}_{}{}", kind == TargetKind::real ? "sm" : "compute", capability.number(),
                       suffix == Suffix::a   ? "a"
                       : suffix == Suffix::f ? "f"
                                             : "");
}

} // namespace kiln
