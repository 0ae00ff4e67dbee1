// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toolkit/capabilities.h"
#include "toolkit/version.h"

#include <optional>
#include <string>
#include <string_view>

namespace kiln::toolkit {

/// What a release that is not at hand can do, by `configs/targets.yaml` alone. Plans can be made
/// with it, and nothing compiled.
struct OnPaper {
    Version version;           ///< as asked for, or the release that is taken for it
    Capabilities capabilities; ///< both compilers have every target of the release
    std::string note;          ///< a sentence where another release is taken; else empty
};

/// `wanted` is `12`, `12.8` or `12.8.93`: `12` is the newest known 12.x, and a version that is no
/// release, newer than all above all, is the newest release below it, which the note says. An empty
/// `wanted` is the newest release. Nothing for a text that is no version, or one older than all
/// known.
std::optional<OnPaper> on_paper(std::string_view wanted);

} // namespace kiln::toolkit
