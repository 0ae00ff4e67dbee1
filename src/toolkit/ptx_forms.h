// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kiln/arch.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::toolkit {

/// A form of a PTX instruction and the targets whose ptxas accepts it.
struct PtxForm {
    std::string name;            ///< `cvt e2m1x2.f32`
    std::string ptx;             ///< as it was assembled, registers abbreviated
    std::string refusal;         ///< how ptxas names it when it refuses it; may be empty
    std::vector<Target> targets; ///< sorted
};

/// The forms that were measured, `configs/ptx_forms.yaml`. Read at the first call; thread-safe.
std::span<const PtxForm> ptx_forms();

/// The targets that accept the form which ptxas calls `refusal` in its message (what stands between
/// its quotes). Empty where no form is called so, or where several are that differ.
std::vector<Target> targets_accepting(std::string_view refusal);

} // namespace kiln::toolkit
