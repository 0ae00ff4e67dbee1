// SPDX-License-Identifier: Apache-2.0
#include "policy/arch_set.h"

namespace kiln::policy {

ArchSet::ArchSet(const ArchMatch& match) {
    if (!match.capability && match.families.empty() && match.majors.empty() && !match.written_out) {
        bits_.set();
        return;
    }
    for (std::size_t bit = 0; bit < bits_.size(); ++bit) {
        bits_.set(bit, match.holds(request(bit)));
    }
}

ArchRequest ArchSet::request(std::size_t bit) noexcept {
    const std::size_t number = bit % capabilities;
    ArchRequest request;
    request.target.capability = {static_cast<std::uint16_t>(number / 10),
                                 static_cast<std::uint16_t>(number % 10)};
    request.written_out = bit >= capabilities;
    return request;
}

std::vector<ArchRequest> ArchSet::samples(std::span<const ComputeCapability> known) const {
    std::vector<ArchRequest> found;
    for (const std::size_t half : {std::size_t{0}, capabilities}) {
        for (const ComputeCapability& capability : known) {
            const std::size_t bit = half + static_cast<std::size_t>(capability.number());
            if (!bits_.test(bit)) {
                continue;
            }
            if (found.size() == 2) {
                found.pop_back();
            }
            found.push_back(request(bit));
        }
        if (!found.empty()) {
            break;
        }
    }
    return found;
}

} // namespace kiln::policy
