// SPDX-License-Identifier: Apache-2.0
// What holds for the toolkit of the machine. Without one these say so and check nothing.
#include "toolkit/answer_json.h"
#include "toolkit/ask_nvcc.h"
#include "toolkit/capabilities.h"
#include "toolkit/discovery.h"
#include "toolkit/identity.h"
#include "toolkit/installed_version.h"
#include "toolkit/toolkit_tree.h"
#include "toolkit/version_check.h"

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

using namespace kiln::toolkit;

namespace {

std::optional<Toolkit> machine_toolkit() {
    const auto discovery = discover({}, kiln::base::Environment::of_process());
    for (const auto& toolkit : discovery.toolkits)
        if (!toolkit.nvrtc.empty() && !toolkit.builtins.empty())
            return toolkit;
    MESSAGE("SKIPPED: no CUDA toolkit with NVRTC on this machine");
    return std::nullopt;
}

double milliseconds_of(const std::function<void()>& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

std::vector<std::string> targets_of_13_0() {
    std::vector<std::string> names;
    for (const char* plain : {"75", "80", "86", "87", "88", "89", "90"})
        names.push_back("sm_" + std::string(plain));
    names.push_back("sm_90a");
    for (const char* plain : {"100", "103", "110", "120", "121"})
        for (const char* suffix : {"", "a", "f"})
            names.push_back("sm_" + std::string(plain) + suffix);
    return names;
}

} // namespace

TEST_CASE("the machine's toolkit is whole and at one with its headers") {
    const auto toolkit = machine_toolkit();
    if (!toolkit)
        return;
    CHECK_FALSE(contains(toolkit->nvrtc.string(), ".alt"));
    CHECK(toolkit->version.major >= 11);
    CHECK_FALSE(header_mismatch(*toolkit));
    kiln::base::DigestCache digests(kiln::base::real_file_system(), {});
    const auto identity = nvrtc_identity(*toolkit, digests);
    CHECK(identity.size() == 64);
    CHECK(identity == nvrtc_identity(*toolkit, digests));
    if (!toolkit->nvcc.empty())
        if (const auto version = version_in_nvcc(toolkit->nvcc))
            CHECK(version->short_str() == toolkit->version.short_str());
}

TEST_CASE("what the machine's compilers can do is what they say") {
    const auto toolkit = machine_toolkit();
    if (!toolkit)
        return;
    AskOptions options;
    options.worker = ASK_NVRTC;
    options.environment = kiln::base::Environment::of_process();
    Capabilities answer;
    const auto elapsed = milliseconds_of(
        [&] { answer = ask_capabilities(*toolkit, options, kiln::base::real_file_system()); });
    MESSAGE("CUDA " << toolkit->version.str() << ": asked in " << elapsed << " ms");
    CHECK(answer.nvrtc_error == "");
    CHECK(answer.nvrtc_version ==
          version_in_name(toolkit->builtins).value_or(Version{}).short_str());
    CHECK_FALSE(answer.nvrtc.empty());
    CHECK_FALSE(answer.nvrtc_has(kiln::Target::parse("sm_90f")));
    if (!answer.nvcc_error.empty())
        MESSAGE("nvcc cannot compile here: " << answer.nvcc_error);
    else if (!toolkit->nvcc.empty())
        CHECK(names_of(answer.nvcc) == names_of(answer.nvrtc));
    if (answer.nvrtc_version == "13.0")
        CHECK(names_of(answer.nvrtc) == targets_of_13_0());
}

TEST_CASE("empty builtins beside the machine's NVRTC are found before the first compile") {
    const auto toolkit = machine_toolkit();
    if (!toolkit)
        return;
    const ToolkitTree tree;
    AskOptions options;
    options.worker = ASK_NVRTC;
    Toolkit cut = *toolkit;
    cut.nvcc.clear();
    cut.nvrtc = tree.link("lib" / toolkit->nvrtc.filename(), toolkit->nvrtc);
    cut.builtins = tree.file("lib" / toolkit->builtins.filename(), "");
    const auto answer = ask_capabilities(cut, options, kiln::base::real_file_system());
    CHECK(answer.nvrtc.empty());
    CHECK(contains(answer.nvrtc_error, cut.builtins.string()));
}

TEST_CASE("LD_LIBRARY_PATH does not choose the NVRTC") {
    const auto toolkit = machine_toolkit();
    if (!toolkit)
        return;
    const ToolkitTree tree;
    tree.file("fake/readme");
    for (const auto& name : {toolkit->nvrtc.filename(), toolkit->builtins.filename()})
        std::filesystem::copy_file(FAKE_NVRTC, tree / "fake" / name);
    AskOptions options;
    options.worker = ASK_NVRTC;
    options.environment = environment({{"LD_LIBRARY_PATH", tree / "fake"}});
    Toolkit nvrtc = *toolkit;
    nvrtc.nvcc.clear();
    const auto answer = ask_capabilities(nvrtc, options, kiln::base::real_file_system());
    CHECK(answer.nvrtc_error == "");
    CHECK(answer.nvrtc_version ==
          version_in_name(toolkit->builtins).value_or(Version{}).short_str());
}

TEST_CASE("the machine's nvcc tells its targets without a host compiler too") {
    const auto toolkit = machine_toolkit();
    if (!toolkit)
        return;
    if (toolkit->nvcc.empty()) {
        MESSAGE("SKIPPED: no nvcc in the CUDA toolkit of this machine");
        return;
    }
    const ToolkitTree tree;
    const auto with = ask_nvcc(toolkit->nvcc, kiln::base::Environment::of_process());
    const auto without = ask_nvcc(toolkit->nvcc, environment({{"PATH", tree.root()}}));
    CHECK_FALSE(with.targets.empty());
    CHECK(names_of(without.targets) == names_of(with.targets));
}
