// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digest_cache.h"
#include "base/environment.h"
#include "base/file_system.h"
#include "cache/cache.h"
#include "catalog/catalog.h"
#include "device/library.h"
#include "policy/policy.h"
#include "service/settings.h"
#include "service/toolchain.h"
#include "worker/pool.h"

#include <kiln/service.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace kiln {

/// What all copies of a Service share. Everything that costs something is made at its first use.
struct KILN_LOCAL Service::State {
    State(service::Settings settings, base::Environment environment);

    const service::Settings settings;
    const base::Environment environment;
    base::FileSystem& files;
    const std::filesystem::path worker;

    /// Thread-safe, made once; a failure throws each time (the toolkit may appear meanwhile).
    const service::Toolchain& toolchain() const;
    /// What plans are made with: of the toolchain, or on paper where the wanted version, or any
    /// toolkit at all, is not installed. Where it is installed later, a compile takes it and plans
    /// do from then on. Throws Error(toolkit_missing) where there is nothing on paper either.
    const policy::ToolkitFacts& facts() const;
    const catalog::Catalog& catalog() const;
    const policy::Policy& policy() const;
    /// What the policy may ask of this host.
    const policy::Surroundings surroundings;
    base::DigestCache& digests() const;
    cache::Cache& cache() const;
    worker::Pool& pool() const;

    /// Loaded libraries by key and device.
    device::Library library(const Cubin& cubin, int device) const;

  private:
    mutable std::recursive_mutex mutex_;
    mutable std::unique_ptr<service::Toolchain> toolchain_;
    mutable std::unique_ptr<policy::ToolkitFacts> paper_;
    mutable std::unique_ptr<catalog::Catalog> catalog_;
    mutable std::unique_ptr<policy::Policy> policy_;
    mutable std::unique_ptr<base::DigestCache> digests_;
    mutable std::unique_ptr<cache::Cache> cache_;
    mutable std::unique_ptr<worker::Pool> pool_;
    mutable std::mutex libraries_mutex_;
    mutable std::map<std::pair<std::string, int>, device::Library> libraries_;
};

} // namespace kiln
