// SPDX-License-Identifier: Apache-2.0
#include "service/warm.h"

#include "service/obtain.h"
#include "service/prepared.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <set>
#include <thread>

namespace kiln::service {
namespace {

/// Takes what workers finish to the one thread that reports it.
class Finished {
  public:
    void push(std::size_t index) {
        {
            const std::lock_guard lock(mutex_);
            indices_.push(index);
        }
        ready_.notify_one();
    }
    std::size_t pop() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [&] { return !indices_.empty(); });
        const auto index = indices_.front();
        indices_.pop();
        return index;
    }

  private:
    std::mutex mutex_;
    std::condition_variable ready_;
    std::queue<std::size_t> indices_;
};

std::string name_of(const Request& request) {
    return request.module.empty() ? request.source : request.module;
}

} // namespace

WarmResult warm_one(const Service::State& state, const Request& request, const ArchRequest& arch,
                    std::span<const ArchRequest> archs, const std::function<bool()>& cancelled) {
    const auto start = std::chrono::steady_clock::now();
    WarmResult result;
    result.module = result.instance = name_of(request);
    result.target = arch.str();
    try {
        const auto asked = ask(state, request);
        result.module = asked.instance.module->name;
        result.instance = asked.instance.name();
        const auto resolution = resolve(state, asked, arch, archs);
        if (resolution.plan.target)
            result.target = resolution.plan.target->str();
        result.cubin = obtain(state, prepare(state, asked, resolution), cancelled);
        result.cubin->runs_on_device = resolution.plan.runs_on_device;
        result.status = result.cubin->tier == Tier::compiled ? WarmResult::Status::compiled
                                                             : WarmResult::Status::hit;
    } catch (const Error& error) {
        result.error = error;
        result.status = error.code() == ErrorCode::denied ? WarmResult::Status::denied
                        : error.code() == ErrorCode::unsupported_target
                            ? WarmResult::Status::skipped
                            : WarmResult::Status::failed;
    } catch (const std::exception& error) {
        result.error = Error(ErrorCode::internal, error.what());
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

namespace {

/// The pairs, and behind them the further targets of those that the policy compiles for several
/// whatever the capability. Each instance and target comes once.
std::vector<std::pair<Request, ArchRequest>>
with_fixed_targets(const Service::State& state,
                   std::span<const std::pair<Request, ArchRequest>> pairs,
                   std::span<const ArchRequest> archs) {
    std::vector<std::pair<Request, ArchRequest>> all(pairs.begin(), pairs.end());
    std::set<std::pair<std::string, Target>> seen;
    std::vector<std::pair<Request, ArchRequest>> further;
    for (const auto& [request, arch] : pairs) {
        try {
            const auto asked = ask(state, request);
            const auto plan = resolve(state, asked, arch, archs).plan;
            if (plan.target)
                seen.emplace(plan.instance, *plan.target);
            if (plan.targets.size() < 2)
                continue;
            for (const auto& target : plan.targets) {
                if (!seen.emplace(plan.instance, target).second)
                    continue;
                ArchRequest written;
                written.target = target;
                written.written_out = true;
                further.emplace_back(request, written);
            }
        } catch (const Error&) {
            // The pair itself will say so.
        }
    }
    all.insert(all.end(), further.begin(), further.end());
    return all;
}

} // namespace

std::vector<WarmResult> warm(const Service::State& state,
                             std::span<const std::pair<Request, ArchRequest>> wanted,
                             const Service::Progress& progress) {
    std::vector<ArchRequest> archs;
    for (const auto& pair : wanted) {
        if (std::find(archs.begin(), archs.end(), pair.second) == archs.end())
            archs.push_back(pair.second);
    }
    const auto pairs = with_fixed_targets(state, wanted, archs);
    std::vector<WarmResult> results(pairs.size());
    Finished finished;
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    const auto work = [&] {
        for (;;) {
            const auto index = next.fetch_add(1);
            if (index >= pairs.size() || stop)
                return;
            results[index] = warm_one(state, pairs[index].first, pairs[index].second, archs,
                                      [&] { return stop.load(); });
            finished.push(index);
        }
    };
    std::vector<std::jthread> threads;
    const auto count = std::min<std::size_t>(state.settings.jobs, pairs.size());
    for (std::size_t i = 0; i < count; ++i)
        threads.emplace_back(work);
    try {
        for (std::size_t done = 1; done <= pairs.size(); ++done) {
            const auto index = finished.pop();
            if (progress)
                progress(results[index], done, pairs.size());
        }
    } catch (...) {
        stop = true;
        throw;
    }
    return results;
}

} // namespace kiln::service
