// SPDX-License-Identifier: Apache-2.0
#include "cubin/guarded_bytes.h"
#include "cubin/inspect.h"
#include "cubin/test_data.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

using kiln::KernelInfo;
using kiln::Target;
using kiln::cubin::inspect;

namespace {

const KernelInfo& kernel(const kiln::cubin::Image& image, std::string_view symbol) {
    const auto found =
        std::find_if(image.kernels.begin(), image.kernels.end(),
                     [&](const KernelInfo& candidate) { return candidate.symbol == symbol; });
    REQUIRE_MESSAGE(found != image.kernels.end(), symbol << " is missing");
    return *found;
}

using Layout = std::vector<std::pair<unsigned, unsigned>>; ///< offset and size of each parameter

Layout layout(const KernelInfo& kernel) {
    Layout layout;
    for (const auto& parameter : kernel.parameters)
        layout.emplace_back(parameter.offset, parameter.size);
    return layout;
}

/// What `ptxas -v` printed, and what the source says.
struct Expected {
    std::string symbol;
    unsigned registers;
    unsigned shared;
    unsigned frame;
    unsigned max_threads;
    Layout parameters;
};

void check(const kiln::cubin::Image& image, const std::vector<Expected>& expected) {
    CHECK(image.kernels.size() == expected.size());
    for (const auto& kernel_expected : expected) {
        CAPTURE(kernel_expected.symbol);
        const auto& found = kernel(image, kernel_expected.symbol);
        CHECK(found.registers == kernel_expected.registers);
        CHECK(found.static_shared_bytes == kernel_expected.shared);
        CHECK(found.local_bytes == kernel_expected.frame);
        CHECK(found.max_threads_per_block == kernel_expected.max_threads);
        CHECK(layout(found) == kernel_expected.parameters);
        CHECK(found.expressions.empty());
    }
}

const Layout mixed{{0, 8}, {8, 1}, {10, 2}, {16, 16}};
const std::string scale = "_Z5scaleIfLi4EEvPT_S0_";

} // namespace

TEST_CASE("the target with its suffix, from NVRTC and from nvcc") {
    CHECK(inspect(test_data("add_one.sm_75.cubin")).target == Target::parse("sm_75"));
    CHECK(inspect(test_data("add_one.sm_90a.cubin")).target == Target::parse("sm_90a"));
    CHECK(inspect(test_data("add_one.sm_120f.cubin")).target == Target::parse("sm_120f"));
    CHECK(inspect(test_data("features.sm_120f.cubin")).target == Target::parse("sm_120f"));
    CHECK(inspect(test_data("add_one.sm_120f.cubin")).suffix_known);
}

TEST_CASE("the tool note is kept") {
    CHECK(inspect(test_data("add_one.sm_90a.cubin")).note ==
          "ptxas; Cuda compilation tools, release 13.0, V13.0.88; "
          "Build cuda_13.0.r13.0/compiler.36424714_0; -arch sm_90a -m 64");
    CHECK(contains(inspect(test_data("add_one.sm_120f.cubin")).note, "-arch sm_120f"));
}

TEST_CASE("CUDA 12 writes no tool note before sm_100 and has the suffix in the header") {
    const auto old = inspect(test_data("add_one.cuda12.sm_90a.cubin"));
    CHECK(old.target == Target::parse("sm_90a"));
    CHECK(old.suffix_known);
    CHECK(old.note.empty());
    check(old, {{"add_one", 8, 0, 0, 0, {{0, 8}, {8, 4}}}});

    const auto blackwell = inspect(test_data("add_one.cuda12.sm_120a.cubin"));
    CHECK(blackwell.target == Target::parse("sm_120a"));
    CHECK(contains(blackwell.note, "release 12.8"));
}

TEST_CASE("kernels of sm_75, as ptxas reports them") {
    check(inspect(test_data("features.sm_75.cubin")), {{"nothing", 4, 0, 0, 0, {}},
                                                       {"prints", 24, 0, 8, 0, {{0, 4}}},
                                                       {"frame", 6, 0, 256, 0, {{0, 8}, {8, 4}}},
                                                       {"shared", 10, 1200, 0, 0, {{0, 8}}},
                                                       {"parameters", 10, 0, 0, 0, mixed},
                                                       {scale, 14, 0, 0, 256, {{0, 8}, {8, 4}}},
                                                       {"_Z6hiddenPi", 4, 0, 0, 0, {{0, 8}}}});
}

TEST_CASE("kernels of sm_90a: the kilobyte that the system reserves is not the kernel's") {
    check(inspect(test_data("features.sm_90a.cubin")),
          {{"nothing", 4, 0, 0, 0, {}},
           {"prints", 24, 0, 8, 0, {{0, 4}}},
           {"frame", 12, 0, 256, 0, {{0, 8}, {8, 4}}},
           {"shared", 10, 1200, 0, 0, {{0, 8}}},
           {"wide", 8, 0, 0, 0, {{0, 20000}, {20000, 8}}},
           {"parameters", 12, 0, 0, 0, mixed},
           {scale, 14, 0, 0, 256, {{0, 8}, {8, 4}}},
           {"_Z6hiddenPi", 8, 0, 0, 0, {{0, 8}}}});
}

TEST_CASE("kernels of sm_120f") {
    check(inspect(test_data("features.sm_120f.cubin")), {{"nothing", 4, 0, 0, 0, {}},
                                                         {"prints", 24, 0, 8, 0, {{0, 4}}},
                                                         {"frame", 14, 0, 256, 0, {{0, 8}, {8, 4}}},
                                                         {"shared", 10, 1200, 0, 0, {{0, 8}}},
                                                         {"parameters", 8, 0, 0, 0, mixed},
                                                         {scale, 14, 0, 0, 256, {{0, 8}, {8, 4}}},
                                                         {"_Z6hiddenPi", 8, 0, 0, 0, {{0, 8}}}});
}

TEST_CASE("what the driver has to supply") {
    CHECK(inspect(test_data("features.sm_90a.cubin")).undefined ==
          std::vector<std::string>{"vprintf"});
    CHECK(inspect(test_data("add_one.sm_120f.cubin")).undefined.empty());
}

TEST_CASE("the image ends where it ends, whatever follows") {
    for (const auto* name : {"add_one.sm_75.cubin", "add_one.sm_120f.cubin",
                             "add_one.cuda12.sm_90a.cubin", "features.sm_90a.cubin"}) {
        CAPTURE(name);
        auto bytes = test_data(name);
        const auto size = bytes.size();
        const auto alone = inspect(bytes);
        CHECK(alone.bytes == size);
        for (const auto foreign : {std::byte{0}, std::byte{0x7f}, std::byte{0xff}}) {
            bytes.resize(size);
            bytes.resize(size + 1000, foreign);
            const auto followed = inspect(bytes);
            CHECK(followed.bytes == size);
            CHECK(followed.target == alone.target);
            CHECK(followed.kernels.size() == alone.kernels.size());
        }
    }
}

TEST_CASE("an image at any address is read and never written") {
    const auto bytes = test_data("features.sm_120f.cubin");
    for (std::size_t padding = 0; padding < 16; ++padding) {
        auto padded = bytes;
        padded.resize(bytes.size() + padding);
        GuardedBytes guarded(padded);
        guarded.make_read_only();
        CHECK(inspect(guarded.bytes()).bytes == bytes.size());
    }
}

TEST_CASE("threads read images at the same time") {
    const auto small = test_data("add_one.sm_75.cubin");
    const auto large = test_data("features.sm_90a.cubin");
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int round = 0; round < 100; ++round)
                if (inspect(small).kernels.size() != 1 || inspect(large).kernels.size() != 8)
                    ++wrong;
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(wrong == 0);
}
