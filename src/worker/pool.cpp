// SPDX-License-Identifier: Apache-2.0
#include "worker/pool.h"

#include "base/log.h"
#include "compile/diagnostics.h"
#include "worker/worker_process.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace kiln::worker {

namespace {

constexpr std::chrono::milliseconds question_interval{20};

} // namespace

// What belongs to one process. A fork copies it, locks in whatever state they are in: the child
// lets its copy lie and makes a new one.
struct Pool::State {
    const pid_t owner = ::getpid();
    std::mutex mutex;
    std::condition_variable free_slot;
    unsigned running = 0;
    std::vector<std::unique_ptr<WorkerProcess>> idle;

    // False if it was cancelled first.
    bool enter(unsigned jobs, const std::function<bool()>& cancelled) {
        std::unique_lock lock(mutex);
        while (running >= jobs) {
            if (!cancelled) {
                free_slot.wait(lock);
            } else {
                lock.unlock();
                const bool given_up = cancelled();
                lock.lock();
                if (given_up)
                    return false;
                if (running >= jobs)
                    free_slot.wait_for(lock, question_interval);
            }
        }
        ++running;
        return true;
    }

    void leave(std::unique_ptr<WorkerProcess> worker) {
        {
            const std::scoped_lock lock(mutex);
            if (worker && worker->usable())
                idle.push_back(std::move(worker));
            --running;
        }
        free_slot.notify_one();
    } // an unusable worker ends here, outside of the lock

    // An idle worker that can take the job: one of its kind, else one that has no NVRTC yet. If
    // there is none and all places are taken by idle workers of other kinds, one of them ends.
    std::unique_ptr<WorkerProcess> take(const std::string& kind, unsigned jobs) {
        std::unique_ptr<WorkerProcess> surplus;
        const std::scoped_lock lock(mutex);
        std::erase_if(idle, [](const auto& worker) { return !worker->usable(); });
        const auto with = [&](const std::string& wanted) {
            return std::find_if(idle.begin(), idle.end(),
                                [&](const auto& worker) { return worker->kind() == wanted; });
        };
        auto found = with(kind);
        if (found == idle.end())
            found = kind.empty() ? idle.begin() : with({});
        if (found != idle.end()) {
            auto worker = std::move(*found);
            idle.erase(found);
            return worker;
        }
        if (idle.size() + running > jobs) {
            surplus = std::move(idle.front());
            idle.erase(idle.begin());
        }
        return nullptr;
    }
};

// One of the `jobs` places, with its worker; given back on every path.
struct Pool::Place {
    State& state;
    std::unique_ptr<WorkerProcess> worker;
    ~Place() { state.leave(std::move(worker)); }
};

Pool::Pool(PoolOptions options) : options_(std::move(options)), state_(new State) {
    options_.jobs = std::max(1u, options_.jobs);
}

Pool::~Pool() {
    State* state = state_.load();
    if (state->owner == ::getpid())
        delete state;
}

unsigned Pool::jobs() const noexcept {
    return options_.jobs;
}

Pool::State& Pool::state() {
    State* state = state_.load();
    if (state->owner == ::getpid())
        return *state;
    auto fresh = std::make_unique<State>();
    if (state_.compare_exchange_strong(state, fresh.get()))
        return *fresh.release();
    return *state;
}

compile::Result Pool::run(const compile::Job& job, const std::function<bool()>& cancelled) {
    State& state = this->state();
    if (!state.enter(options_.jobs, cancelled)) {
        compile::Result result;
        result.error = compile::of_job(
            Error(ErrorCode::cancelled, job.label + ": cancelled before it began"), job);
        return result;
    }
    Place place{state, nullptr};
    try {
        if (!options_.program.empty()) {
            place.worker = state.take(nvrtc_kind(job), options_.jobs);
            const bool was_idle = place.worker != nullptr;
            if (!was_idle)
                place.worker = start();
            if (auto result = place.worker->run(job, cancelled))
                return std::move(*result);
            // An idle worker may be killed at any time, also at this moment. The job has not been
            // begun, so it costs that worker alone.
            if (was_idle) {
                place.worker = start();
                if (auto result = place.worker->run(job, cancelled))
                    return std::move(*result);
            }
            throw Error(ErrorCode::io, "it ends when it is given a job");
        }
        base::warn_once("worker", "there is no kiln-worker program: kernels are compiled in "
                                  "this process, one NVRTC front end at a time");
    } catch (const Error& error) {
        base::warn_once("worker",
                        std::string("kernels are compiled in this process, since no worker can be "
                                    "used: ") +
                            error.what());
    }
    return compile::make_compiler()->run(job, cancelled);
}

std::unique_ptr<WorkerProcess> Pool::start() const {
    return std::make_unique<WorkerProcess>(options_.program, options_.environment);
}

} // namespace kiln::worker
