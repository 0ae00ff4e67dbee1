// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/facts.h"
#include "service/state.h"

namespace kiln::service {

/// What the policy may ask of this host: variables of the settings, environment, devices, headers.
/// Nothing is asked here. The result refers to `state`, which must outlive it.
policy::Surroundings surroundings_of(const Service::State& state);

} // namespace kiln::service
