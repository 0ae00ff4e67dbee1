// SPDX-License-Identifier: Apache-2.0
#include "toolkit/answer_json.h"
#include "toolkit/ask_nvcc.h"
#include "toolkit/toolkit_tree.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using kiln::toolkit::ask_nvcc;
using kiln::toolkit::names_of;
using Names = std::vector<std::string>;

namespace {

const kiln::base::Environment path = environment({{"PATH", "/usr/bin:/bin"}});

/// Lists two targets and takes them and the given third one.
std::string two_targets(const std::string& suffixed, const std::string& otherwise = "exit 0") {
    return "case \"$*\" in\n"
           "--list-gpu-code) echo sm_90; echo sm_75;;\n"
           "*-arch=sm_75\\ *|*-arch=sm_90\\ *|*-arch=" +
           suffixed + "\\ *) " + otherwise +
           ";;\n"
           "*) echo \"nvcc fatal   : Unsupported gpu architecture 'sm_x'\" >&2; exit 1;;\n"
           "esac";
}

} // namespace

TEST_CASE("what nvcc lists, and the suffixes that a dry run takes") {
    const ToolkitTree tree;
    const auto answer = ask_nvcc(tree.script("nvcc", two_targets("sm_90a")), path);
    CHECK(names_of(answer.targets) == Names{"sm_75", "sm_90", "sm_90a"});
    CHECK(answer.error.empty());
}

TEST_CASE("an nvcc that knows only the list of virtual targets") {
    const ToolkitTree tree;
    const auto answer = ask_nvcc(tree.script("nvcc", "case \"$*\" in\n"
                                                     "--list-gpu-arch) echo compute_50; echo "
                                                     "compute_86;;\n"
                                                     "*-arch=sm_50\\ *|*-arch=sm_86\\ *) ;;\n"
                                                     "*) exit 1;;\nesac"),
                                 path);
    CHECK(names_of(answer.targets) == Names{"sm_50", "sm_86"});
    CHECK(answer.error.empty());
}

TEST_CASE("flags that the user's environment adds do not speak for nvcc") {
    const ToolkitTree tree;
    auto with_flags = path;
    with_flags.set("NVCC_APPEND_FLAGS", "-arch=sm_75");
    with_flags.set("NVCC_PREPEND_FLAGS", "-arch=sm_75");
    const auto answer = ask_nvcc(
        tree.script("nvcc", "test -z \"$NVCC_APPEND_FLAGS$NVCC_PREPEND_FLAGS\" || exit 1\n" +
                                two_targets("sm_90f")),
        with_flags);
    CHECK(names_of(answer.targets) == Names{"sm_75", "sm_90", "sm_90f"});
}

TEST_CASE("without a host compiler the targets are known and the trouble is told") {
    const ToolkitTree tree;
    const auto nvcc = tree.script(
        "nvcc", two_targets("sm_90a", "echo 'nvcc fatal   : Failed to preprocess host compiler "
                                      "properties.' >&2; exit 1"));
    const auto answer = ask_nvcc(nvcc, path);
    CHECK(names_of(answer.targets) == Names{"sm_75", "sm_90", "sm_90a"});
    CHECK(contains(answer.error, nvcc.string()));
    CHECK(contains(answer.error, "Failed to preprocess host compiler properties."));
}

TEST_CASE("an nvcc that lists nothing, or cannot be run, is trouble") {
    const ToolkitTree tree;
    const auto silent = ask_nvcc(tree.script("silent", "echo oh no >&2; exit 3"), path);
    CHECK(silent.targets.empty());
    CHECK(contains(silent.error, "does not list its targets: exit status 3: oh no"));
    const auto killed = ask_nvcc(tree.script("killed", "kill -9 $$"), path);
    CHECK(contains(killed.error, "ended by signal 9"));
    CHECK(contains(ask_nvcc(tree / "absent", path).error, "absent"));
}
