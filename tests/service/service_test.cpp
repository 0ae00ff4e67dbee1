// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_directory.h"

#include <kiln/kiln.h>

#include <doctest/doctest.h>

#include <atomic>
#include <fstream>
#include <thread>

using kiln::ArchRequest;
using kiln::Error;
using kiln::ErrorCode;
using kiln::Request;
using kiln::Service;
using kiln::Tier;
using kiln::WarmResult;

namespace {

constexpr const char* source_text = "template <int N> __global__ void step(int* p) { *p += N; }\n"
                                    "extern \"C\" __global__ void k(int* p) { *p += 1; }\n";

/// A service on a cache of its own, and a source beside it.
struct Fixture {
    kiln::base::TemporaryDirectory directory;
    std::string source = (directory.path() / "step.cu").string();

    Fixture() { std::ofstream(source) << source_text; }

    Service service(kiln::Mode mode = kiln::Mode::normal) const {
        kiln::ServiceOptions options;
        options.cache_directory = (directory.path() / "cache").string();
        options.mode = mode;
        options.catalogs = {KILN_SOURCE_DIR "/kernels/catalog.yaml"};
        return Service(options);
    }
    Request request(std::vector<std::string> kernels = {"k"}) const {
        Request request;
        request.source = source;
        request.kernels = std::move(kernels);
        return request;
    }
};

const ArchRequest hopper = ArchRequest::parse("9.0");

ErrorCode code_of(const auto& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.code();
    }
    FAIL("nothing was thrown");
    return ErrorCode::internal;
}

} // namespace

TEST_CASE("a source becomes a cubin, then a hit on disk, then one in memory") {
    const Fixture f;
    const auto request = f.request({"k", "step<3>"});
    const auto compiled = f.service().get(request, hopper);
    CHECK(compiled.tier == Tier::compiled);
    CHECK_FALSE(compiled.miss_reason.empty());
    REQUIRE(compiled.find("step<3>") != nullptr);
    CHECK(compiled.find("step<3>")->symbol == "_Z4stepILi3EEvPi");
    CHECK(compiled.find("k")->parameters.size() == 1);

    const auto service = f.service();
    const auto disk = service.get(request, hopper);
    CHECK(disk.tier == Tier::disk);
    CHECK(std::ranges::equal(disk.image(), compiled.image()));
    CHECK(disk.find("step<3>") != nullptr);
    const auto memory = service.get(request, hopper);
    CHECK(memory.tier == Tier::memory);
    CHECK(memory.key == compiled.key);
    // `checked`: the memory tier looks at the disk too.
    std::ofstream(f.source, std::ios::app) << "// edited\n";
    CHECK(service.get(request, hopper).tier == Tier::compiled);
}

TEST_CASE("answers do not throw") {
    const Fixture f;
    const auto service = f.service();
    Request fp4;
    fp4.module = "fp4_convert";
    const auto plan = service.plan(fp4, hopper);
    CHECK(plan.verdict == kiln::Verdict::deny);
    CHECK_FALSE(plan.reason.empty());
    CHECK_FALSE(service.can_compile(fp4, hopper));
    CHECK(service.can_compile(fp4, ArchRequest::parse("12.0")));
    CHECK_FALSE(service.try_get(fp4, hopper));
    Request unknown;
    unknown.module = "no-such-module";
    CHECK_FALSE(service.can_compile(unknown, hopper));
    CHECK_FALSE(service.try_get(f.request(), hopper));
    CHECK(service.get(f.request(), hopper).tier == Tier::compiled);
    CHECK(service.try_get(f.request(), hopper));
}

TEST_CASE("on paper nothing can be compiled") {
    const Fixture f;
    kiln::ServiceOptions options;
    options.cache_directory = (f.directory.path() / "cache").string();
    options.catalogs = {KILN_SOURCE_DIR "/kernels/catalog.yaml"};
    options.toolkit = "12.7";
    const Service service(options);
    Request add;
    add.module = "vector_add";
    const auto plan = service.plan(add, hopper);
    CHECK(plan.verdict == kiln::Verdict::allow);
    CHECK(plan.toolkit_on_paper);
    CHECK_FALSE(service.can_compile(add, hopper));
    CHECK(code_of([&] { service.get(add, hopper); }) == ErrorCode::toolkit_missing);
    CHECK(code_of([&] { service.try_get(add, hopper); }) == ErrorCode::toolkit_missing);
    // What the policy refuses on paper is no answer of a compile either.
    Request fp4;
    fp4.module = "fp4_convert";
    CHECK(code_of([&] { service.get(fp4, hopper); }) == ErrorCode::toolkit_missing);
    CHECK_FALSE(service.all_archs().empty());
}

TEST_CASE("errors have codes that a program can switch on") {
    const Fixture f;
    const auto service = f.service();
    Request fp4;
    fp4.module = "fp4_convert";
    CHECK(code_of([&] { service.get(fp4, hopper); }) == ErrorCode::denied);
    CHECK(code_of([&] { service.get(Request{}, hopper); }) == ErrorCode::usage);
    CHECK(code_of([&] { service.get(f.request({"absent"}), hopper); }) ==
          ErrorCode::kernel_missing);
    CHECK(code_of([&] { service.get(f.request(), ArchRequest::parse("7.0")); }) ==
          ErrorCode::unsupported_target);
    CHECK(code_of([&] {
              f.service(kiln::Mode::sealed).get(f.request({"k", "step<9>"}), hopper);
          }) == ErrorCode::sealed_miss);
    std::ofstream(f.source) << "#include \"absent.h\"\n";
    CHECK(code_of([&] { service.get(f.request(), hopper); }) == ErrorCode::header_missing);
    std::ofstream(f.source) << "__global__ void broken(\n";
    CHECK(code_of([&] { service.get(f.request(), hopper); }) == ErrorCode::compile_failed);
}

TEST_CASE("a failure does not stay: the next request compiles anew") {
    const Fixture f;
    const auto service = f.service();
    std::ofstream(f.source) << "__global__ void broken(\n";
    CHECK(code_of([&] { service.get(f.request(), hopper); }) == ErrorCode::compile_failed);
    std::ofstream(f.source) << source_text;
    CHECK(service.get(f.request(), hopper).tier == Tier::compiled);
}

TEST_CASE("many threads that ask for one kernel compile it once") {
    const Fixture f;
    const auto service = f.service();
    std::atomic<int> compiled{0};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&] {
                compiled += service.get(f.request(), hopper).tier == Tier::compiled ? 1 : 0;
            });
        }
    }
    CHECK(compiled == 1);
}

TEST_CASE("warm reports each pair once, in order, from the calling thread") {
    const Fixture f;
    const auto service = f.service();
    std::vector<std::pair<Request, ArchRequest>> pairs;
    for (const char* arch : {"8.0", "9.0", "7.0"})
        pairs.emplace_back(f.request(), ArchRequest::parse(arch));
    Request bad;
    bad.module = "bulk_copy";
    pairs.emplace_back(bad, ArchRequest::parse("8.0"));
    const auto caller = std::this_thread::get_id();
    std::size_t calls = 0;
    const auto results =
        service.warm(pairs, [&](const WarmResult&, std::size_t done, std::size_t all) {
            CHECK(std::this_thread::get_id() == caller);
            CHECK(done == ++calls);
            CHECK(all == 4);
        });
    CHECK(calls == 4);
    REQUIRE(results.size() == 4);
    CHECK(results[0].status == WarmResult::Status::compiled);
    CHECK(results[1].status == WarmResult::Status::compiled);
    CHECK(results[2].status == WarmResult::Status::skipped);
    CHECK(results[3].status == WarmResult::Status::denied);
}

TEST_CASE("a progress callback that throws ends the warm") {
    const Fixture f;
    const auto service = f.service();
    std::vector<std::pair<Request, ArchRequest>> pairs;
    for (const char* arch : {"8.0", "8.6", "8.9", "9.0"})
        pairs.emplace_back(f.request(), ArchRequest::parse(arch));
    CHECK_THROWS_AS(service.warm(pairs, [](const auto&...) { throw std::runtime_error("enough"); }),
                    std::runtime_error);
}

TEST_CASE("without a device a kernel is an error that says so") {
    if (!kiln::devices().devices.empty()) {
        MESSAGE("skipped: there is a device here");
        return;
    }
    const Fixture f;
    const auto code = code_of([&] { f.service().kernel(f.request()); });
    const bool says_so = code == ErrorCode::driver_missing || code == ErrorCode::device_missing;
    CHECK(says_so);
}

TEST_CASE("a mistake in a policy is said when the service is made") {
    const Fixture f;
    const auto policy = f.directory.path() / "p.yaml";
    std::ofstream(policy) << "policy: 1\nrulez: []\n";
    kiln::ServiceOptions options;
    options.policies = {policy.string()};
    CHECK(code_of([&] { Service service(options); }) == ErrorCode::policy);
}
