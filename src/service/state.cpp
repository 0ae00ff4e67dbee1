// SPDX-License-Identifier: Apache-2.0
#include "service/state.h"

#include "base/log.h"
#include "base/paths.h"
#include "base/text.h"
#include "service/surroundings.h"

#include <fmt/format.h>

namespace kiln {
namespace {

/// The directory below the cache for one purpose; empty where there is no cache directory.
std::filesystem::path beside_entries(const service::Settings& settings, const char* name) {
    if (settings.cache_directory.empty() || settings.mode == Mode::off)
        return {};
    return std::filesystem::path(settings.cache_directory.value) / "v1" / name;
}

} // namespace

Service::State::State(service::Settings given, base::Environment variables)
    : settings(std::move(given)), environment(std::move(variables)),
      files(base::real_file_system()), worker(base::worker_program(environment)),
      surroundings(service::surroundings_of(*this)) {
    for (const auto& reason : settings.refused)
        base::log().warn("configuration ignored: {}", reason);
    if (const auto dropped = service::dropped_variables(environment); !dropped.empty()) {
        base::warn_once("dropped-variables",
                        fmt::format("not passed to compilers: {}", base::join(dropped, ", ")));
    }
}

const service::Toolchain& Service::State::toolchain() const {
    const std::lock_guard lock(mutex_);
    if (!toolchain_) {
        toolchain_ = std::make_unique<service::Toolchain>(service::find_toolchain(
            settings, environment, worker, beside_entries(settings, "toolkits"), files, digests()));
    }
    return *toolchain_;
}

const policy::ToolkitFacts& Service::State::facts() const {
    const std::lock_guard lock(mutex_);
    if (toolchain_ || !paper_) {
        try {
            return toolchain().facts;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::toolkit_missing)
                throw;
            auto facts = service::facts_on_paper(settings);
            if (!facts)
                throw;
            paper_ = std::make_unique<policy::ToolkitFacts>(*std::move(facts));
        }
    }
    return *paper_;
}

const catalog::Catalog& Service::State::catalog() const {
    const std::lock_guard lock(mutex_);
    if (!catalog_) {
        catalog_ = std::make_unique<catalog::Catalog>(
            catalog::Catalog::load(settings.catalogs, settings.variables, environment));
    }
    return *catalog_;
}

const policy::Policy& Service::State::policy() const {
    const std::lock_guard lock(mutex_);
    if (!policy_) {
        auto documents = settings.policies;
        // The policies that catalogs name are of the library layer, behind those of configurations.
        for (const auto& file : catalog().policies())
            documents.push_back({policy::Layer::library, file.value, std::nullopt});
        policy_ = std::make_unique<policy::Policy>(policy::Policy::load(documents));
    }
    return *policy_;
}

base::DigestCache& Service::State::digests() const {
    const std::lock_guard lock(mutex_);
    if (!digests_) {
        digests_ = std::make_unique<base::DigestCache>(files, beside_entries(settings, "digests"));
    }
    return *digests_;
}

cache::Cache& Service::State::cache() const {
    const std::lock_guard lock(mutex_);
    if (!cache_) {
        cache::CacheOptions options;
        options.directory = settings.cache_directory.value;
        options.memory_bytes = settings.memory_bytes;
        options.read = settings.mode != Mode::off;
        options.write = settings.mode == Mode::normal;
        options.strict = settings.strict;
        cache_ = std::make_unique<cache::Cache>(std::move(options), files, digests());
    }
    return *cache_;
}

worker::Pool& Service::State::pool() const {
    const std::lock_guard lock(mutex_);
    if (!pool_) {
        worker::PoolOptions options;
        options.program = worker;
        options.jobs = settings.jobs;
        options.environment = service::compiler_environment(toolchain(), environment);
        pool_ = std::make_unique<worker::Pool>(std::move(options));
    }
    return *pool_;
}

device::Library Service::State::library(const Cubin& cubin, int device) const {
    const std::lock_guard lock(libraries_mutex_);
    const auto at = std::make_pair(cubin.key, device);
    if (const auto found = libraries_.find(at); found != libraries_.end())
        return found->second;
    return libraries_.emplace(at, device::Library::load(cubin, device)).first->second;
}

} // namespace kiln
