// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/state.h"

#include <kiln/service.h>

#include <span>
#include <utility>
#include <vector>

namespace kiln::service {

/// See Service::warm. Cancelling is the progress callback throwing: no further pair is begun, what
/// compiles is cancelled, and the exception goes on to the caller.
std::vector<WarmResult> warm(const Service::State& state,
                             std::span<const std::pair<Request, ArchRequest>> pairs,
                             const Service::Progress& progress);

/// One pair, as warm does it; never throws.
WarmResult warm_one(const Service::State& state, const Request& request, const ArchRequest& arch,
                    std::span<const ArchRequest> archs, const std::function<bool()>& cancelled);

} // namespace kiln::service
