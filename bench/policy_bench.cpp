// SPDX-License-Identifier: Apache-2.0
// What loading a policy and resolving a plan cost on a warm machine. Targets: a resolve below 20
// us, 10,000 rules loaded in below 1 s. A new process is measured by scripts/bench.sh.
#include "allocations.h"
#include "policy/paper.h"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>
#include <vector>

namespace {

using kiln::policy::Document;
using kiln::policy::Layer;
using kiln::policy::Policy;

/// Rules like those of a real library: a module each, with a range of capabilities and flags.
std::string rules(int count) {
    std::string text = "policy: 1\nrules:\n";
    for (int i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        text += "  - name: rule-" + number + "\n    match: {module: \"library/kernel_" + number +
                "\", capability: \">=9.0\"}\n    set: {options: [-DN=" + number + "]}\n";
    }
    return text;
}

/// A rule is about 100 bytes and a document at most 1 MiB, so that many rules are several files.
std::vector<Document> documents(int count) {
    constexpr int most = 5000;
    std::vector<Document> documents;
    for (int left = count; left > 0; left -= most)
        documents.push_back({Layer::library, "library" + std::to_string(left) + ".yaml",
                             rules(left < most ? left : most)});
    return documents;
}

void load_built_in(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(Policy::load({}));
}
BENCHMARK(load_built_in)->Unit(benchmark::kMicrosecond);

/// The built-in layer and every policy below configs/examples, from their files.
void load_examples(benchmark::State& state) {
    std::vector<Document> examples;
    std::uintmax_t bytes = 0;
    const std::filesystem::path folder = KILN_CONFIGS "/examples";
    if (std::filesystem::is_directory(folder)) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (!entry.path().filename().string().ends_with("policy.yaml"))
                continue;
            examples.push_back({Layer::library, entry.path(), std::nullopt});
            bytes += entry.file_size();
        }
    }
    if (examples.empty()) {
        state.SkipWithError("there is no policy.yaml below configs/examples");
        return;
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(Policy::load(examples));
    state.counters["KB"] = static_cast<double>(bytes) / 1024;
}
BENCHMARK(load_examples)->Unit(benchmark::kMicrosecond);

void load_rules(benchmark::State& state) {
    const auto layered = documents(static_cast<int>(state.range(0)));
    for (auto _ : state)
        benchmark::DoNotOptimize(Policy::load(layered));
}
BENCHMARK(load_rules)->Arg(100)->Arg(10'000)->Unit(benchmark::kMillisecond);

/// One plan of a loaded policy with that many rules beside the built-in ones.
void resolve(benchmark::State& state) {
    const auto layered = documents(static_cast<int>(state.range(0)));
    const Policy policy = Policy::load(layered);
    const auto module = paper::module("library/kernel_7");
    const kiln::catalog::Instance instance{&module, {}};
    const auto toolkit = paper::cuda_13_0();
    const auto arch = kiln::ArchRequest::parse("12.0");
    const Allocations before = allocations();
    for (auto _ : state)
        benchmark::DoNotOptimize(policy.resolve({instance, arch, {&arch, 1}, toolkit, {}}));
    const Allocations after = allocations();
    const auto a_resolve = [&](std::uint64_t amount) {
        return static_cast<double>(amount) / static_cast<double>(state.iterations());
    };
    state.counters["allocations"] = a_resolve(after.count - before.count);
    state.counters["bytes"] = a_resolve(after.bytes - before.bytes);
}
BENCHMARK(resolve)->Arg(0)->Arg(100)->Arg(10'000)->Unit(benchmark::kMicrosecond);

} // namespace
