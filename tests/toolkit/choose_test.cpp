// SPDX-License-Identifier: Apache-2.0
#include "toolkit/discovery.h"
#include "toolkit/toolkit_tree.h"

#include <kiln/error.h>

#include <doctest/doctest.h>

#include <string>

using namespace kiln::toolkit;
using kiln::Error;
using kiln::ErrorCode;

namespace {

Error refusal(const Discovery& discovery, const DiscoveryOptions& options) {
    try {
        choose(discovery, options);
    } catch (const Error& error) {
        return error;
    }
    FAIL("a toolkit was chosen");
    throw;
}

/// Two toolkits: 12.8 by CUDA_HOME, 13.0 in the default prefix.
struct Two {
    ToolkitTree tree;
    DiscoveryOptions options = tree.options();
    std::filesystem::path old = tree.toolkit("old", 12, 8);
    std::filesystem::path current = tree.toolkit("default/cuda", 13, 0);

    Discovery discovery() { return discover(options, environment({{"CUDA_HOME", old}})); }
};

} // namespace

TEST_CASE("without a wish the first toolkit is taken") {
    Two two;
    CHECK(choose(two.discovery(), two.options).root == two.old);
}

TEST_CASE("a version chooses among what is found") {
    Two two;
    for (const char* wanted : {"13", "13.0"}) {
        two.options.wanted = wanted;
        CHECK(choose(two.discovery(), two.options).root == two.current);
    }
    two.options.wanted = "12";
    CHECK(choose(two.discovery(), two.options).root == two.old);
}

TEST_CASE("a version that is not there is an error that names those that are") {
    Two two;
    for (const char* wanted : {"12.9", "14", "13.0.88"}) {
        two.options.wanted = wanted;
        const auto error = refusal(two.discovery(), two.options);
        CHECK(error.code() == ErrorCode::toolkit_missing);
        CHECK(error.message() == "No CUDA " + std::string(wanted) + " was found.");
        CHECK(contains(error.hint(), "CUDA 12.8 in " + two.old.string() + " (CUDA_HOME)"));
        CHECK(contains(error.hint(), "CUDA 13.0 in " + two.current.string()));
    }
}

TEST_CASE("a wanted path that is no toolkit is an error, whatever else there is") {
    Two two;
    two.options.wanted = "/none";
    const auto error = refusal(two.discovery(), two.options);
    CHECK(error.code() == ErrorCode::toolkit_missing);
    CHECK(error.message() == "/none is no CUDA toolkit: does not exist.");
    CHECK(contains(error.hint(), two.current.string()));
    CHECK(contains(error.context("tried"), "requested /none: does not exist\n"));
}

TEST_CASE("without any toolkit the error lists every place, one a line") {
    const ToolkitTree tree;
    const auto options = tree.options();
    const auto error = refusal(discover(options, environment({{"PATH", "/usr/nowhere"}})), options);
    CHECK(error.code() == ErrorCode::toolkit_missing);
    CHECK(error.context("tried") == "CUDA_HOME: CUDA_HOME is not set\n"
                                    "CUDA_PATH: CUDA_PATH is not set\n"
                                    "PATH: no nvcc in PATH=/usr/nowhere\n" +
                                        (tree / "default").string() + " " +
                                        (tree / "default/cuda").string() +
                                        ": does not exist\n"
                                        "python wheel " +
                                        (tree / "no-packages").string() +
                                        ": has no CUDA wheels\n"
                                        "conda: CONDA_PREFIX is not set");
    CHECK(contains(error.hint(), "CUDA_HOME"));
}

TEST_CASE("a wish that is neither version nor path is a wrong argument") {
    Two two;
    two.options.wanted = "newest";
    CHECK(refusal(two.discovery(), two.options).code() == ErrorCode::usage);
}
