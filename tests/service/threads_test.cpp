// SPDX-License-Identifier: Apache-2.0
// What the sanitizer for threads watches: everything that a service answers, from many threads at
// once. It sees this process alone, not the workers.
#include "base/temporary_directory.h"

#include <kiln/kiln.h>

#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using kiln::ArchRequest;
using kiln::Request;
using kiln::Service;
using kiln::Tier;
using kiln::WarmResult;

namespace {

constexpr int thread_count = 8;
const ArchRequest hopper = ArchRequest::parse("9.0");

/// A lone source and the catalog that ships, on a cache of their own.
struct Ground {
    kiln::base::TemporaryDirectory directory;
    Request lone;
    Request shipped;

    Ground() {
        lone.source = (directory.path() / "lone.cu").string();
        lone.kernels = {"k"};
        std::ofstream(lone.source) << "extern \"C\" __global__ void k(int* p) { *p += 1; }\n";
        shipped.module = "vector_add";
    }
    Service service() const {
        kiln::ServiceOptions options;
        options.cache_directory = (directory.path() / "cache").string();
        options.catalogs = {KILN_SOURCE_DIR "/kernels/catalog.yaml"};
        return Service(options);
    }
};

/// What all threads saw together.
struct Seen {
    std::mutex mutex;
    std::map<std::string, std::set<std::string>> keys; ///< by label
    int compiled = 0;
    std::size_t denied = 0;
    std::vector<std::string> troubles;

    void cubin(const std::string& label, const kiln::Cubin& cubin) {
        const std::lock_guard lock(mutex);
        keys[label].insert(cubin.key);
        compiled += cubin.tier == Tier::compiled ? 1 : 0;
    }
};

/// Runs `work(index)` in all threads at once; what it throws is kept for the caller.
void at_once(Seen& seen, const auto& work) {
    std::barrier start(thread_count);
    std::vector<std::jthread> threads;
    for (int index = 0; index < thread_count; ++index) {
        threads.emplace_back([&, index] {
            start.arrive_and_wait();
            try {
                work(index);
            } catch (const std::exception& error) {
                const std::lock_guard lock(seen.mutex);
                seen.troubles.emplace_back(error.what());
            }
        });
    }
}

/// Plans of the whole shipped catalog for three archs: how many are denied.
std::size_t count_denied(const Service& service) {
    std::size_t denied = 0;
    for (const char* arch : {"8.0", "9.0", "12.0"}) {
        for (const auto& request : service.requests())
            denied += service.plan(request, ArchRequest::parse(arch)).verdict == kiln::Verdict::deny
                          ? 1u
                          : 0u;
    }
    return denied;
}

void warm_both(const Service& service, const Ground& ground, Seen& seen) {
    const std::vector<std::pair<Request, ArchRequest>> pairs{{ground.lone, hopper},
                                                             {ground.shipped, hopper}};
    for (const auto& result : service.warm(pairs)) {
        if (result.cubin)
            seen.cubin(result.module, *result.cubin);
        else
            throw std::runtime_error(result.error ? result.error->message() : "no cubin");
    }
}

} // namespace

TEST_CASE("eight threads that ask one service everything agree, and each kernel is compiled once") {
    const Ground ground;
    const auto service = ground.service();
    Seen seen;
    std::set<std::size_t> denied;
    at_once(seen, [&](int index) {
        for (int round = 0; round < 4; ++round) {
            switch ((index + round) % 4) {
            case 0:
                seen.cubin("lone.cu", service.get(ground.lone, hopper));
                break;
            case 1:
                seen.cubin("vector_add", service.get(ground.shipped, hopper));
                break;
            case 2:
                warm_both(service, ground, seen);
                break;
            default: {
                const auto count = count_denied(service);
                const std::lock_guard lock(seen.mutex);
                denied.insert(count);
            }
            }
            if (const auto found = service.try_get(ground.lone, hopper))
                seen.cubin("lone.cu", *found);
            if (!service.can_compile(ground.shipped, hopper))
                throw std::runtime_error("vector_add cannot be compiled");
        }
    });
    CHECK(seen.troubles == std::vector<std::string>{});
    CHECK(seen.keys.size() == 2);
    for (const auto& [label, keys] : seen.keys) {
        CAPTURE(label);
        CHECK(keys.size() == 1);
    }
    CHECK(seen.compiled == 2);
    REQUIRE(denied.size() == 1);
    CHECK(*denied.begin() > 0);
}

TEST_CASE("eight services on one cache, made and ended at once, compile a kernel once") {
    const Ground ground;
    Seen seen;
    at_once(seen, [&](int) {
        const auto service = ground.service();
        seen.cubin("lone.cu", service.get(ground.lone, hopper));
    });
    CHECK(seen.troubles == std::vector<std::string>{});
    CHECK(seen.keys["lone.cu"].size() == 1);
    CHECK(seen.compiled == 1);
}

TEST_CASE("a service is ended while copies of it are at work in other threads") {
    const Ground ground;
    std::optional<Service> first(ground.service());
    Seen seen;
    std::barrier copied(thread_count);
    at_once(seen, [&](int index) {
        const Service copy = *first;
        copied.arrive_and_wait();
        if (index == 0)
            first.reset();
        seen.cubin("lone.cu", copy.get(ground.lone, hopper));
    });
    CHECK(seen.troubles == std::vector<std::string>{});
    CHECK(seen.compiled == 1);
}
