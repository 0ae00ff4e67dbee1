// SPDX-License-Identifier: Apache-2.0
#include "toolkit/identity.h"
#include "toolkit/layout.h"
#include "toolkit/toolkit_tree.h"

#include <kiln/error.h>

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <string>

using namespace kiln::toolkit;
using kiln::Error;
using kiln::ErrorCode;

namespace {

/// A toolkit whose NVRTC and builtins are real ELF files with a build id.
struct Identified {
    ToolkitTree tree;
    std::filesystem::path root = tree.toolkit("cuda", 12, 0);
    std::filesystem::path compiler = tree.script("host/g++", "exit 0");
    kiln::base::DigestCache digests{kiln::base::real_file_system(), {}};

    Identified() {
        for (const char* library : {"libnvrtc.so.12", "libnvrtc-builtins.so.12.0"})
            std::filesystem::copy_file(FAKE_NVRTC, root / "lib64" / library,
                                       std::filesystem::copy_options::overwrite_existing);
    }
    Toolkit toolkit() const { return look_at_root(root, "test").toolkit.value(); }
    std::string nvcc() { return nvcc_identity(toolkit(), compiler, digests); }
};

Error refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error;
    }
    FAIL("no error");
    throw;
}

} // namespace

TEST_CASE("NVRTC's identity is that of its build ids, wherever it lies") {
    Identified one;
    Identified other;
    const auto identity = nvrtc_identity(one.toolkit(), one.digests);
    CHECK(identity.size() == 64);
    CHECK(identity == nvrtc_identity(other.toolkit(), other.digests));
    // What lies behind the notes is not read.
    std::ofstream(other.root / "lib64/libnvrtc.so.12", std::ios::app | std::ios::binary) << "more";
    CHECK(identity == nvrtc_identity(other.toolkit(), other.digests));
}

TEST_CASE("other builtins are another identity, by content where there is no build id") {
    Identified one;
    std::set<std::string> identities{nvrtc_identity(one.toolkit(), one.digests)};
    const auto builtins = one.root / "lib64/libnvrtc-builtins.so.12.0";
    for (const char* text : {"no ELF", "other"}) {
        std::ofstream(builtins, std::ios::binary) << text;
        identities.insert(nvrtc_identity(one.toolkit(), one.digests));
    }
    CHECK(identities.size() == 3);
    std::filesystem::copy_file(builtins, one.root / "lib64/libnvrtc.so.12",
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::copy_file(FAKE_NVRTC, builtins,
                               std::filesystem::copy_options::overwrite_existing);
    CHECK(identities.count(nvrtc_identity(one.toolkit(), one.digests)) == 0);
}

TEST_CASE("a missing part of NVRTC is named") {
    Identified one;
    std::filesystem::remove(one.root / "lib64/libnvrtc-builtins.so.12.0");
    const auto error = refusal([&] { nvrtc_identity(one.toolkit(), one.digests); });
    CHECK(error.code() == ErrorCode::toolkit_unfit);
    CHECK(error.context("part") == "libnvrtc-builtins");
    CHECK(contains(error.message(), one.root.string()));

    auto gone = Identified().toolkit();
    CHECK(refusal([&] { nvrtc_identity(gone, one.digests); }).code() == ErrorCode::toolkit_unfit);
}

TEST_CASE("each part of NVCC and the host compiler change its identity") {
    Identified one;
    Identified elsewhere;
    std::set<std::string> identities{one.nvcc()};
    std::size_t expected = 1;
    for (const char* part :
         {"bin/nvcc", "bin/cudafe++", "nvvm/bin/cicc", "bin/ptxas", "bin/fatbinary",
          "nvvm/libdevice/libdevice.10.bc", "bin/nvcc.profile"}) {
        CAPTURE(part);
        std::ofstream(one.root / part, std::ios::app) << "changed";
        identities.insert(one.nvcc());
        CHECK(identities.size() == ++expected);
    }
    std::ofstream(one.compiler, std::ios::app) << "changed";
    identities.insert(one.nvcc());
    CHECK(identities.size() == ++expected);
}

TEST_CASE("a missing part of NVCC is named") {
    for (const char* part : {"cudafe++", "ptxas", "fatbinary"}) {
        Identified one;
        std::filesystem::remove(one.root / "bin" / part);
        CHECK(refusal([&] { one.nvcc(); }).context("part") == part);
    }
    Identified one;
    std::filesystem::remove(one.root / "nvvm/bin/cicc");
    CHECK(refusal([&] { one.nvcc(); }).context("part") == "cicc");
    one.compiler.clear();
    one.tree.file("cuda/nvvm/bin/cicc");
    CHECK(refusal([&] { one.nvcc(); }).context("part") == "host compiler");
    one.compiler = one.tree / "absent/g++";
    CHECK(refusal([&] { one.nvcc(); }).code() == ErrorCode::toolkit_unfit);
}
