// SPDX-License-Identifier: Apache-2.0
#include "service/obtain.h"

#include "base/log.h"
#include "source/header_graph.h"

#include <fmt/format.h>

#include <chrono>

namespace kiln::service {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What the compile depended on, or nothing where the list cannot be trusted: then the cubin is
/// returned and not stored, and the log says why.
std::optional<cache::InputSet> inputs_of(const Service::State& state, const Prepared& prepared,
                                         const compile::Result& result,
                                         const cache::CompileStart& start) {
    const auto& job = prepared.job;
    if (!result.opened_exact) {
        base::warn_once("inexact-inputs", "the compiler does not say which files it read: "
                                          "what it makes is not cached");
        return std::nullopt;
    }
    try {
        const auto inputs = source::inputs_of(
            job.source, result.opened, source::SearchPath(job.roots), state.files, start.time_ns);
        if (!inputs.incomplete.empty()) {
            base::log().warn("{} is not cached: {}", job.label, inputs.incomplete);
            return std::nullopt;
        }
        auto collected = cache::collect_inputs(inputs.files, inputs.absent, prepared.request, start,
                                               state.files, state.digests());
        if (collected.changed.empty())
            return std::move(collected.inputs);
        base::log().warn("{} is not cached: {} during the compile", job.label, collected.changed);
        return std::nullopt;
    } catch (const Error& error) {
        base::log().warn("{} is not cached: {}", job.label, error.message());
        return std::nullopt;
    }
}

cache::Metadata metadata_of(const Prepared& prepared, const compile::Result& result) {
    cache::Metadata metadata;
    metadata.target = prepared.job.target;
    metadata.label = prepared.job.label;
    metadata.backend = to_string(prepared.job.backend);
    metadata.toolkit = prepared.job.toolkit.version.str();
    metadata.log = result.log;
    metadata.ptx = result.ptx;
    metadata.created_ns = base::wall_clock_ns();
    metadata.kernels = result.kernels;
    metadata.fields = prepared.request.fields;
    return metadata;
}

Cubin compile(const Service::State& state, const Prepared& prepared, std::string miss_reason,
              const std::function<bool()>& cancelled) {
    const auto start = cache::mark_compile_start(prepared.request, state.files);
    auto result = state.pool().run(prepared.job, cancelled);
    if (result.error)
        throw explain_error(state, prepared.job, *result.error);
    const auto inputs = inputs_of(state, prepared, result, start);
    auto cubin = state.cache().store(prepared.request, inputs, metadata_of(prepared, result),
                                     std::move(result.cubin));
    cubin.miss_reason = std::move(miss_reason);
    return cubin;
}

[[noreturn]] void refuse_sealed(const Prepared& prepared, const std::string& miss_reason) {
    throw Error(ErrorCode::sealed_miss,
                fmt::format("sealed mode: {} for {} is not in the cache ({})", prepared.job.label,
                            prepared.job.target.str(), miss_reason),
                "warm the cache with the same sources, flags and toolkit, or use mode normal");
}

} // namespace

std::optional<Cubin> look_up(const Service::State& state, const Prepared& prepared) {
    return state.cache().find(prepared.request).hit;
}

Cubin obtain(const Service::State& state, const Prepared& prepared,
             const std::function<bool()>& cancelled) {
    const auto start = Clock::now();
    auto& cache = state.cache();
    auto lookup = cache.find(prepared.request);
    if (!lookup.hit && state.settings.mode == Mode::sealed)
        refuse_sealed(prepared, lookup.miss_reason);
    if (!lookup.hit && state.settings.mode == Mode::normal) {
        // Whoever comes second finds the entry of the first.
        const auto wait = std::min<std::int64_t>(prepared.job.time_limit.count(), 600'000);
        const auto lock = cache.single_flight(prepared.request, static_cast<int>(wait));
        auto again = cache.find(prepared.request, true);
        lookup.hit = std::move(again.hit);
        if (!lookup.hit)
            lookup.hit = compile(state, prepared, std::move(lookup.miss_reason), cancelled);
    } else if (!lookup.hit) {
        lookup.hit = compile(state, prepared, "the cache is off", cancelled);
    }
    lookup.hit->seconds = seconds_since(start);
    return std::move(*lookup.hit);
}

} // namespace kiln::service
