// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/prepared.h"

#include <kiln/cubin.h>

#include <functional>
#include <optional>

namespace kiln::service {

/// The straight line from a prepared request to a verified cubin: lookup, and on a miss one compile
/// for everybody who asks. Throws Error; in sealed mode a miss is Error(sealed_miss).
Cubin obtain(const Service::State& state, const Prepared& prepared,
             const std::function<bool()>& cancelled = {});

/// The lookup alone.
std::optional<Cubin> look_up(const Service::State& state, const Prepared& prepared);

/// A missing header's error with the include chain, every place tried and near misses; any other
/// error with the job's label and target.
Error explain_error(const Service::State& state, const compile::Job& job, const Error& error);

} // namespace kiln::service
