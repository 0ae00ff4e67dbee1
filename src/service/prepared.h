// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/request.h"
#include "catalog/catalog.h"
#include "compile/compiler.h"
#include "policy/policy.h"
#include "service/state.h"
#include "source/search_path.h"

#include <kiln/service.h>

#include <memory>
#include <optional>

namespace kiln::service {

/// A request whose module is known: a catalog's, or one made for a lone source.
struct Asked {
    std::shared_ptr<const catalog::Module> owned; ///< of a lone source; else null
    catalog::Instance instance;
};

/// Finds the module, or makes one. Throws Error(catalog | source_missing | usage).
Asked ask(const Service::State& state, const Request& request);

/// The plan for one arch of a list, with what the compile needs beside it. On paper where the
/// toolkit is not installed. The notes of its rules are for those who explain.
enum class Notes { without, with };
policy::Resolution resolve(const Service::State& state, const Asked& asked, const ArchRequest& arch,
                           std::span<const ArchRequest> archs = {}, Notes notes = Notes::without);

/// An allowed plan made ready: the job for a compiler and what the cache is asked.
struct Prepared {
    compile::Job job;
    cache::Request request;
};

/// Throws Error(toolkit_missing) for a plan on paper; Error(denied | unsupported_target) for a plan
/// that is not allowed, with its reason and origin; Error(source_missing).
Prepared prepare(const Service::State& state, const Asked& asked,
                 const policy::Resolution& resolution);

/// The directories that an instance's includes are searched in, in order, the toolkit's last.
/// Without an instance: those of the settings and the toolkit. `of_policy`: those that a plan adds
/// behind the instance's own. Throws Error(policy) for one below a root that is not there.
source::SearchPath search_path(const Service::State& state, const catalog::Instance* instance,
                               std::span<const policy::Resolution::IncludeRoot> of_policy = {});

} // namespace kiln::service
