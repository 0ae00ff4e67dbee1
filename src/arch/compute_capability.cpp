// SPDX-License-Identifier: Apache-2.0
#include "arch/advice.h"

#include <fmt/format.h>

namespace kiln {

ComputeCapability ComputeCapability::parse(std::string_view text) {
    const auto spelling = arch::read(text);
    if (!spelling || spelling->form != arch::Form::dotted || spelling->suffix != Suffix::none ||
        spelling->with_ptx)
        throw arch::refusal(text, arch::Wanted::capability);
    return spelling->capability;
}

std::string ComputeCapability::str() const {
    return fmt::format("{}.{}", major, minor);
}

ComputeCapability ComputeCapability::from_number(int number) {
    if (number < 10 || number > 999)
        throw Error(ErrorCode::unknown_arch,
                    fmt::format("{} is the number of no compute capability", number),
                    "12.0 has the number 120");
    return {static_cast<std::uint16_t>(number / 10), static_cast<std::uint16_t>(number % 10)};
}

} // namespace kiln
